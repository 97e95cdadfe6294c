"""The phrases of letters that no person wrote, and what each weighs: data for `automatic_mail`.

Pure. They are looked for in what is folded to lower case, NFKC and one line. A phrase stands on a
line; ` .. ` in it are some words of one sentence. What a program alone says weighs `ENOUGH`; what a
person may say too counts together with its like: a desk thanks, names a ticket and will answer.
"""

from __future__ import annotations

import re
from typing import Final

ENOUGH: Final = 3
"""What the phrases of a letter must weigh together."""

_ITSELF = r"""
this (is|was) an? (\w+ ){0,2}(auto\w*|system[- ]generated)(?![^.!?]{0,80}\?)
this (e-?mail|message|reply|response|notification) (is|was|has been) (\w+ ){0,2}auto\w*(?!.{0,80}\?)
(automatically|auto|system)[- ]?(generated|created|issued|dispatched)
(please )?do(n'?t| not) (reply|respond) (directly )?to this
replies to this (e-?mail|message|address) .. (not|never|un\w+)
(mailbox|inbox|address|account) (is )?(not|un|no longer) ?-?(monitored|attended|checked|used)
(type|write|enter) your (reply|response|answer) above|reply above this line[.]
dies ist eine (\w+ )?automati\w*
diese (e-?mail|nachricht|antwort|mail) (wurde|ist) automati\w*
automatisch (erstellt|generiert|erzeugt|versandt|versendet|verschickt|gegenereerd|verzonden)e?\w?
antworten sie (bitte )?nicht
bitte nicht (direkt )?(auf diese|antworten)
ceci est une? (\w+ ){0,2}automati\w*
ce (message|courriel|mail) (est|a été) (\w+ ){0,3}automati\w*
(généré|envoyé|créé)e? automatiquement
ne (pas|répondez pas) .. (répondre|à ce (message|courriel|mail))
est[ea] (es|é) una? (\w+ ){0,2}autom[aá]tic\w
(generad|enviad|gerad)[oa] autom[aá]ticamente
n[oã]o? respond(a|as|er) a est[ea]
questo è un (\w+ )?messaggio automatico
questa è una (\w+ )?risposta automatica
(generat|inviat)[oa] automaticamente
non rispond(ere|a|ete) a quest\w
dit is een (\w+ )?automati\w*
niet (te )?(be)?antwoorden
det(ta|te) (är ett|er en|er et) (\w+ )?(automati\w*|autosvar)
(svara|svar|besvar) (inte|ikke|venligst ikke)
tämä on automaattinen
(to|jest to|wiadomość) .. (automatyczn\w+|wygenerowan\w+)
(prosimy|proszę) nie odpowiadać
toto je automatick\w+
neodpovídejte
(это|данное) .. (автоматическ\w+|автоматически)
не отвечайте на
(bu|lütfen) .. (otomatik\w*|yanıtlamayın\w*|cevaplamayın\w*)
ez (az|egy) .. automatikus
acesta este un .. automat
"""

_EASTERN = r"""
自動(応答|返信|送信|配信|回覆|回复|發送|生成)
(この|本)メール(は|に).{0,20}(自動|返信(でき|いただ|しない))
お問い合わせ.{0,12}(受け付け|受付|ありがとう)
(現在|只今|ただいま).{0,12}(不在|休暇)
(系统|系統)自[动動]
自动(回复|答复|发送|生成)
[请請]勿(直接)?回[复覆]
已(收到|受理|经收到).{0,4}(您|你)的(邮件|来信|请求|工单|反馈)
(您|你)的(工单|請求|请求|邮件).{0,12}(已|受理)
자동(으로)? ?(응답|발송|회신|생성)
회신(하지 마|이 불가)
(문의|요청)[가이를을]? .{0,10}접수
(현재|지금).{0,12}부재
"""

_CHALLENGE = r"""
boxtrapper|spam ?arrest|tmda|choicemail|boxbe|spamblocker|mailblocks|qconfirm|mail ?in ?black
(mail|messages) only from|not accepting .. (unknown|new) senders
moderator approval|list (moderator|editor)|under moderation|permission to post
your (message|e-?mail) .. (was|has been) (read|opened|displayed) on
ihre nachricht .. wurde .. gelesen|votre message .. a été lu|su mensaje .. (fue|ha sido) leído
"""

_NAMED = r"""
(automatic|automated|auto)[- ]?(reply|response|answer|acknowledge?ment|confirmation)
you('ve| have) reached .. (mailbox|inbox)|how did we do|rate our
[^:\[\]]{4,60} (re|aw|sv|fw): go game
autorespon\w+|automatische antwort|réponse automatique|respuesta automática|resposta automática
"""

_PROOF = r"""
(verify|confirm|prove) .. ((you|they|senders) are|you're|yourself)
(verify|confirm|prove) .. your (e-?mail|message|address|identity)
(not|not yet) been (verified|confirmed|authenticated|approved)
requires? (verification|confirmation)
(human|real|live|person) .. not an? (spam\w*|machine|robot|bot|computer|program)
bestätigen sie .. (absender|mensch|nachricht|e-?mail|adresse)
(confirmez|confirmer|vérifier) .. (message|expéditeur|humain|adresse|courriel)
(confirm|verifi(qu|c))(e|ar) .. (mensaje|mensagem|remitente|remetente|correo|e-?mail|humano)
(confermi|conferma|confermare|verificare) .. (messaggio|mittente|indirizzo|umano)
bevestig\w* .. (afzender|bericht|adres|mens)
"""

_HELD = r"""
(your|the) (e-?mail|message|mail) .. (held|quarantined?|waiting list|on hold|been delivered)
(have|get) (it|your (e-?mail|message|mail)) (delivered|released)
will not (see|receive|get) your (e-?mail|message|mail)
se(ja|rá) entregue|sea entregado|soit (remis|délivré)|venga consegnato|zugestellt (wird|werden)
"""
_AGAINST_SPAM = r"""
(protect|reduc|fight|control|stop|prevent|combat|cut)\w* .. (spam|junk|unsolicited|unwanted)
(approved|known|allowed|trusted|authori[sz]ed|verified) senders?
(white|allow|safe|guest) ?-?list(ed)?
"""
_ONE_STEP = r"""
(click|follow|visit|use) .. (link|button|url)|by visiting http
clica(ndo|r) aqui|haga clic|cliqu(ez|ant) (ici|sur)|klicken sie|cliccando|klik (hier|op)
(reply|respond) .. (subject|empty|blank|unchanged|intact)
"""
_ONCE = r"""
just (this )?once|only (have|need) to do this once|one[- ]time
"""

_RECEIVED = r"""
(ticket|case|request|enquiry|incident|report|conversation) .. (has|have) (\w+ )?been \w+ed
(ticket|case|request|enquiry|inquiry|incident) .. (is|was) (\w+ )?(received|created|logged|assigned)
(message|e-?mail) .. (has|have) (\w+ )?been (received|logged|registered|assigned|forwarded)
(ticket|case|request|incident) .. is (now )?(open|closed|resolved|solved)
(e-?mail|message) (has )?arrived|to the (relevant|right|appropriate) (department|team|person)
(received|got|logged|registered) your (e-?mail|message|request|enquiry|inquiry|query|report)
(opened|created|raised|logged) (a|your|this) (new )?(ticket|case|request|incident)
ihre (anfrage|nachricht|e-?mail|mitteilung) .. (erhalten|eingegangen|erfasst|registriert)
ihr (anliegen|ticket) .. (erhalten|eingegangen|erfasst|angelegt|aufgenommen|registriert)
votre (demande|message|courriel|ticket) .. (reçue?|enregistrée?|prise? en compte|créée?|transmise?)
(su|tu) (solicitud|consulta|mensaje|correo|ticket|caso) .. (recibid|registrad|cread|abiert)[oa]
(sua|seu) (solicitação|pedido|mensagem|chamado|e-?mail) .. (recebid|registrad|abert|criad)[oa]
(la|il) (tua|sua|suo) (richiesta|e-?mail|messaggio|segnalazione) .. (ricevut|registrat|pres)[oa]
(uw|je) (vraag|bericht|verzoek|e-?mail|aanvraag|melding) .. (ontvangen|geregistreerd|behandeling)
(ditt|din|dit) (ärende|henvendelse|mail|e-?post|sag) .. (mottagit|mottatt|modtaget|registrer\w+)
(twoje|państwa|pana) (zgłoszenie|wiadomość) .. (przyjęt|zarejestrowan|otrzym)\w*
ваш[еау]? (обращение|заявк[ау]|запрос|письмо) .. (принят|получ|зарегистр)\w*
(talebiniz|başvurunuz|mesajınız) .. (alın|ulaş|oluştur)\w*
"""
_NUMBERED = r"""
(ticket|case|reference|request|incident|tracking|enquiry|dossier|caso)\b[^.!?]{0,20}\d{3}\w*
(ticket|vorgangs|fall|ärende|sags|chamado|demande)[ -]?n(r|o|ummer|úmero)?\b[^!?]{0,9}\d\w*
(ticket|case|request|incident|ref)\w* ?[:#]+ ?[a-z-]{0,9}\d\w*
\[[^\]\d]{0,30}\d{3,}\]|(numéro|nummer|número|numero|reference|номер(ом)?)[^.!?]{0,9} \d{3}[\w-]*
"""
_THANKS = r"""
thank(s| you) .. (contact\w*|reaching out|getting in touch|e-?mailing|writing to us)
thank(s| you)( \w+){0,3} for your (e-?mail|message|mail|enquiry|inquiry|request|interest)
((vielen|herzlichen|besten) dank|danke) für ihre (nachricht|e-?mail|anfrage|mail)
merci (de|pour) (votre (message|courriel|mail|demande|e-?mail)|nous avoir)
gracias por (su|tu) (mensaje|correo|consulta|contact\w+)|gracias por (contact|escrib)\w+
obrigad[oa] (por|pelo|pela) .. (contato|contacto|mensagem|e-?mail)
grazie per (la (sua|tua)|averci|il (suo|tuo))
(bedankt|dank) voor (uw|je) (bericht|e-?mail|mail)
tack för (ditt|din) (mail|mejl|e-?post)|tak for din (mail|henvendelse|besked)
dziękujemy za (wiadomość|kontakt|zgłoszenie)|спасибо за (ваше|обращение|письмо)
"""
_DESK = r"""
(our|from the|member of the) (\w+ ){0,2}(team|staff|agents?|representatives?|department|desk)
(we|they|someone) (will|aim to|shall|try to) .. (back to you|respond|reply|answer|be in touch)
we'll (get back|be (in touch|back)|answer|reply|respond)|(will|shall) be in touch with you
wir (werden|melden|bearbeiten|kümmern) .. (ihnen|ihre|bei ihnen)
nous (vous|traiterons|reviendrons|mettons) .. (répondr\w+|délais?|vers vous|contact)
мы (ответим|свяжемся)
nuestro equipo|nossa equipe|notre équipe|nos équipes|il nostro (team|staff)|ons team|unser team
"""
_SHUT = r"""
(office|practice|shop|store) (is|will be|remains) .. closed
(büro|praxis) (ist|bleibt) .. geschlossen
high volume of|place in the queue|queue position
"""
_CLOSED = r"""
(offline|back online|outside (of )?our|currently closed|nobody is (here|in|available))
"""
_HOURS = r"""
(within|in) .. (business|working|office) (hours?|days?)
(business|office|opening) hours|(response|reply|waiting) times?
"""

_ABSENT = r"""
out of (the |my )?office
(on|taking) (annual|parental|maternity|paternity|sick|medical|study) leave
(nicht|vorübergehend nicht) (im büro|erreichbar|im haus|an meinem arbeitsplatz)|außer haus
absente? du bureau|fuera de (la )?oficina|(ausente|fora) do escritório|fuori (sede|ufficio)
niet (op|aanwezig op) kantoor|poza biurem|ofis dışında|вне офиса|(я )?в отпуске .. \d
"""
_AWAY = r"""
(i am|i'm|i will be|i'll be) (currently |now )?(away|on (vacation|holidays?|leave)|unavailable)
bin .. (urlaub|abwesend|verreist)|är på semester|olen lomalla|er på ferie
(suis|serai) (\w+ )?(absente?|en congés?|en vacances)
(estoy|estaré) (\w+ )?(ausente|de vacaciones)|(estou|estarei) (\w+ )?(ausente|de férias)
(sono|sarò) (\w+ )?(assente|in ferie)|ben (\w+ ){0,3}(afwezig|met (vakantie|verlof))
(jestem|będę) (\w+ )?(nieobecn\w+|na urlopie)
"""
_INSTEAD = r"""
(in|for|if) (case of )?(an? )?(urgent|emergenc|immediate)\w* .. (contact|call|e-?mail|write|phone)
in my absence|(if|should) (you|your|it|this|the matter) .. (urgent|immediate)
in dringenden (fällen|angelegenheiten)|(en cas d'|pour toute )urgence|en mon absence
kiireellisissä asioissa|(caso|casos) (de|urgentes?)
em caso de urgência|per (urgenze|questioni urgenti)|(in|voor) (dringende|spoed)\w* (gevallen|zaken)
w pilnych sprawach
"""
_UNREAD = r"""
(limited|no|intermittent|sporadic|restricted) (or no )?access to (my )?(e-?mails?|mail|messages)
not (be )?(checking|reading|monitoring) (my )?(e-?mails?|mail|messages)
keinen zugriff auf meine|lese .. (e-?mails?|nachrichten) .. nicht|lees .. niet|läser inte (min|mina)
(not (being )?|nicht (automatisch )?)(forwarded|weitergeleitet)
"""
_LATER = r"""
(will|shall|'ll) (respond|reply|answer|get back|attend) .. (your (e-?mail|message)|return|when i)
(will|shall|'ll) (get|be) back to you
within (the next )?(\d+|one|two|three)( ?- ?\d+)? (hours?|days?)
(reply|replies|respond|responses?|answers?) in (under|about|up to|less than) .. (minutes|hours|days)
(upon|on|after|until) my return|nach meiner rückkehr|à mon retour|a mi (regreso|vuelta)
no meu regresso|al mio rientro|na mijn terugkeer|po powrocie
"""


def _compiled(phrases: str, edge: str = r"(?<!\w)") -> re.Pattern[str]:
    """Any of the phrases, as a whole word or more where there is an `edge` between words."""
    lines = "|".join(phrases.strip().split("\n"))
    lines = lines.replace(" .. ", r"\b(?:[^.!?]|[.](?=\w)){0,60}\b")
    return re.compile(f"{edge}(?:{lines})")


PHRASES: Final = (
    *((3, _compiled(words)) for words in (_ITSELF, _CHALLENGE)),
    (3, _compiled(_EASTERN, "")),
    *((2, _compiled(words)) for words in (_NAMED, _PROOF, _RECEIVED, _NUMBERED)),
    *((2, _compiled(words)) for words in (_HOURS, _SHUT, _ABSENT, _INSTEAD, _UNREAD)),
    *((1, _compiled(words)) for words in (_HELD, _AGAINST_SPAM, _ONE_STEP, _ONCE)),
    *((1, _compiled(words)) for words in (_THANKS, _DESK, _CLOSED, _AWAY, _LATER)),
)
"""Weights, and the phrases of which one counts."""

PROMISES: Final = _compiled(_DESK + _LATER.strip())
"""How an answer is put off, by programs and by people."""

REACTION: Final = re.compile(
    r"\b(?:liked|loved) your (?:message|e-?mail)\b|\breacted (?:via|to|with|from)\b|reaccionó"
    r"|reagiu|a réagi|ha reagito|reagierte|reagerade"
    r"|reagerte|reagerede|zareagowa|\b(?:hat|heeft)\b.{0,60}\b(?:reagiert|gereageerd)|отреагировал|リアクション"
    r"|做出(?:了)?回[应應]|반응(?:함|했)|emojireactionemail"
)
"""What says that a program brings somebody's emoji."""

TAPBACK: Final = re.compile(
    r"(?:liked|loved|disliked|laughed at|emphasi[sz]ed|questioned|reacted \S{1,8} to"
    r"|removed an? \w+(?: \w+)? from) (?:[“\"„«].{25,}|an? (?:image|photo|movie|attachment))"
    r"|[^\w\s\"'(]\S* .{1,80} (?:reacted to|liked|loved) your (?:message|e-?mail)[.:!]?"
)
"""The whole of a letter in which a telephone brings one, of a letter of ours."""
