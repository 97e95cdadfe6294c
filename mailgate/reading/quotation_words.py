"""The words by which mail programs of many languages set a quotation off: data for `new_text`.

Pure; no functions. All words are case-folded, after NFKC, and none can be a command of `language`.
"""

from __future__ import annotations

import re
from typing import Final

_FIELDS: Final = {
    "from": """from|von|de|da|van|fra|från|od|lähettäjä|от|от кого|від|kimden|feladó|发件人|寄件者
        |寄件人|差出人|送信者|보낸 사람|보낸사람|από|de la|מאת|من|expéditeur|remitente|mittente
        |afzender|avsender|afsender|nadawca|odesílatel|expeditor|pengirim|dari|gönderen|người gửi
        |nuo|no|saatja|frå""",
    "sent": """sent|date|gesendet|datum|envoyé|enviado|enviada|enviado el|fecha|data|inviato
        |verzonden|skickat|dato|sendt|lähetetty|päivämäärä|wysłano|wysłane|odesláno|отправлено
        |дата|надіслано|gönderildi|tarih|küldve|dátum|发送时间|发送日期
        |日期
        |寄件日期|傳送時間
        |送信日時|日時|보낸 날짜|날짜|ημερομηνία|στάλθηκε|trimis|נשלח|תאריך
        |تاريخ الإرسال|tanggal""",
    "to": """to|an|à|para|a|aan|naar|til|till|vastaanottaja|do|komu|кому|kime|címzett|收件人
        |收件者|宛先|받는 사람|받는사람|προς|către|אל|إلى|destinataire|destinatario|kepada""",
    "cc": "cc|kopie|copie|kopia|kopi|копия|抄送|副本|참조|másolatot kap",
    "subject": """subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|aihe|temat
        |předmět|тема|konu|tárgy|主题|主旨|件名|제목|θέμα|subiect|נושא|الموضوع|perihal|vs""",
    "reply-to": "reply-to|antwort an|répondre à|responder a|rispondi a",
}

HEADER_LABELS: Final = {
    label.strip(): field for field, labels in _FIELDS.items() for label in labels.split("|")
}
"""A header field's translated label, and which field it is."""

_TITLES: Final = """original message|original appointment|begin forwarded message|forwarded message
        |ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht
        |anfang der weitergeleiteten nachricht|message d'origine|message original
        |début du message réexpédié|message transféré|mensaje original|mensaje reenviado
        |inicio del mensaje reenviado|mensagem original|mensagem encaminhada
        |messaggio originale|messaggio inoltrato|inizio messaggio inoltrato
        |oorspronkelijk bericht|origineel bericht|doorgestuurd bericht|begin doorgestuurd bericht
        |ursprungligt meddelande|ursprungligt medd.|vidarebefordrat meddelande
        |opprinnelig melding|oprindelig meddelelse|videresendt melding|videresendt besked
        |alkuperäinen viesti|välitetty viesti|oryginalna wiadomość|wiadomość oryginalna
        |původní zpráva|исходное сообщение|пересылаемое сообщение|оригінальне повідомлення
        |orijinal mesaj|orijinal ileti|özgün ileti|eredeti üzenet|mesaj original
        |原始邮件|原始郵件|原邮件|邮件原件|转发的邮件|轉寄郵件|元のメッセージ|転送されたメッセージ
        |원본 메시지|원본 메일|전달된 메시지|αρχικό μήνυμα|הודעה מקורית"""

FORWARD_TITLES: Final = frozenset(title.strip() for title in _TITLES.split("|"))
"""What stands between two rules, or alone, above a quoted or forwarded letter."""

SENT_FROM: Final = re.compile(
    r"(?:sent (?:from|via|with|by|using) (?:my|the|an?|mail)\b"
    r"|from my (?:\w+ )?(?:iphone|ipad|pixel|android|galaxy|phone|mobile|tablet|samsung)\W*$"
    r"|typed (?:with|on|using) (?:one|my|a)\b|\W*free e-?mail (?:by|from|at)\b"
    r"|von meine[mr] .{1,40} ge(?:send|schick)|von unterwegs gesendet"
    r"|secured with tuta|provenance : courrier|quote on ?:.{1,30}\d{4})"
)
"""The line a telephone adds, or FreeScout above a quotation, at the start of a case-folded line."""

_SENT: Final = (
    r"(?:securely |(?:this )?(?:e-?mail|message) (?:was )?)?sen[dt] (?:from|via|with|using|by|on"
    r"|through) |powered by |(?:gesendet|geschickt) (?:von|mit|über|aus) |envoyée? |envia[dt][oa]? "
    r"|inviat[oa] |ver(?:zonden|stuurd) |skickat |skickades |sendt |lähetetty |wysłan[aeoy] "
    r"|odesláno |poslan[éo] |отправлен[оа] |надіслано |изпратено |послато |küldve |elküldve "
    r"|εστάλη |στάλθηκε |αποστολή |trimis |נשלח |تم ال[إا]رسال من |[أا]ُ?رسلت? من |مُ?رسلة? من "
    r"|ارسال شده از |đã gửi |(?:được )?gửi từ |dikirim |ส่งจาก|saadetud |nosūtīts |išsiųsta "
    r"|发自|發自|发送自|寄件自|来自我的"
)
SENT_BY: Final = re.compile(_SENT)
"""How the lines begin in which programs say, at the end of a letter, that they have sent it."""

SENDING: Final = re.compile(
    rf"{_SENT}|從|从|قبل ال"
    r"|(?:get|download|holen sie sich|beziehen sie|obten(?:ir|ez|er)|télécharger|obter|ottieni"
    r"|scarica|hämta|få|skaffa|hent|hanki|pobierz|získat|получить|获取|獲取|取得) "
)
"""How the lines begin that programs add in many languages; they also name a program: see MAKES."""

SENT: Final = (
    *("gesendet", "geschickt", "herunterladen", "downloaden", "gönderildi", "edinin", "küldve"),
    *("から送信", "を入手", "发送", "傳送", "에서 보냄", "보냈습니다", "다운로드", "भेजा गया"),
)
"""How they end, in other languages."""

MAKES: Final = re.compile(
    r"iphone|ipad|iphon|อุปกรณ์|android|samsung|galaxy|huawei|xiaomi|小米|fairphone|pixel|blackberry"
    r"|windows|outlook|yahoo|gmail|\baol\b|proton|tuta|k-9|thunderbird|bluemail|spark|typeapp|mymail"
    r"|polymail|mailspring|edison|canary|airmail|fastmail|zoho|hushmail|posteo|\bgmx\b|web\.de"
    r"|mail\.ru|яндекс|libero|seznam|onet|naver|네이버|奇摩|surface|smartphone|스마트폰"
    r"|スマートフォン|\bnine\b|\bfront\b|\bshift\b|mailtrack|fairemail|mobile mail|mail[- ]app"
    r"|メールアプリ|メールから|айфон|אייפון|手机|手機|mobil|telefon|téléphone|teléfono|телефон"
    r"|móvil|celular|cellulare|mobiel|puhelim|携帯|휴대폰|هاتف|جوال|آيفون"
)
"""Telephones and mail programs, case-folded."""

FOOTERS: Final = re.compile(
    r"(?:virus-free|virenfrei|virusvrij|libre de virus|garanti sans virus|privo di virus)\b|(?:this"
    r"|diese|cet|ce|este|esta|questa|questo|deze|dit|ten|ta|tato|tento|это|данное|дан[а-я]+"
    r"|ця|цей|de[nt](?:na|ne|ta|te)|ez az|bu|el software|the (?:information"
    r"|contents?)|les informations)\b.{0,60}\b(?:e-?mail|message|nachricht|mensaje|mensagem"
    r"|messaggio|correo|bericht|communication|courrie[lr]|e-?post\w*|wiadomość|zpráva"
    r"|(?:сообщ|повідомл)ени?е|письмо|лист)\b.{0,200}\b(?:confiden[tcz]i|vertraulich|vertrouwelijk"
    r"|privileged|intended (?:only|solely)|viren"
    r"|(?:anti|anty|анти)?(?:v[ií]r[uüy]|wirus|вірус|вирус))"
    r"|wiadomość .{0,60}wirus|o software antiv[ií]rus|l['’]absence de virus"
    r"|confidentiality notice|avis de confidentialité|(?:disclaimer|haftungsausschluss)\W*$"
    r"|please consider the environment|you received this message because you are subscribed"
    r"|to unsubscribe from this (?:group|list)|本邮件及其附件|このメールは機密|sender notified by\b"
    r"|this (?:e-?mail|message) (?:was sent|came|originated) from outside"
    r"|signature is customized by|签名由.{0,20}定制"
    r"|\[image: (?:mailtrack|avast|avg|width=)|<https?://\S{1,300}(?:sig-email|=signature)"
)
"""How what companies, virus scanners and lists set below every letter begins, case-folded."""

ATTRIBUTION_OPENERS: Final = re.compile(
    r"(?i)[*\"'\s]{0,3}(?:on|am|le|el|il|op|den|em|no dia|na|dnia|w dniu|dne|dňa|a|à|il giorno"
    r"|på|pada|vào|tarihinde|în data de|pe|στις|ב-?|بتاريخ|в|у|ngày|el día|da|dana|ne|ma|kell)\s"
    r"(?=.{0,80}\d)"
)
"""How "On ... wrote:" begins where it begins with a word."""

_VERBS: Final = (
    r"(?:\b(?:wrote|writes|schrieb|schreibt|geschrieben|a écrit|écrit|escribi[óou]|escribiu|escribe"
    r"|escrev[eê]u|ha scritto|scrisse|scrive|schreef|geschreven|skrev|skreiv|skriver"
    r"|kirjoitti|napisał(?:a|\(a\))?|napisana przez|pisze|napsal(?:a|\(a\))?|napísal(?:a|\(a\))?"
    r"|пишет|пише|(?:на)?писал(?:а|\(а\))?|написав(?:ла)?|написао|yazdı|şunu yazdı|írta|ezt írta"
    r"|a scris|έγραψε|đã viết|menulis|va escriure|escrigué|ha escrit|je napisa[ol]|napisa[ol]"
    r"|написа|skrifaði|kirjutas|rašė|rakstīja|idatzi (?:du|zuen)|ha scritt|isinulat)\b"
    r"|写道|寫道|写到|書きました|が書いた|のメッセージ|のメール|は書き|作成|작성|썼습니다"
    r"|쓰셨습니다|님이 쓴|쓴 글|כתב|כתבה|كتب|تمت كتابة|نوشت|เขียน|ने लिखा)"
)
ATTRIBUTION_VERBS: Final = re.compile(
    rf"(?i)(?:{_VERBS}[^\n]{{0,60}}"
    r"|^(?:quoting|zitat von|citando|citation de|citerar|цитирую) [^\n]{1,100}@[^\n]{0,60})"
    r":[\s*]{0,3}$"
)
"""How "On ... wrote:" ends, at the end of a line or of a wrapped paragraph."""

ATTRIBUTION_WORDS: Final = re.compile(rf"(?i){_VERBS}")
"""What is in its first line where its date was wrapped to the next."""

ATTRIBUTION_ENDS: Final = re.compile(
    rf"(?i)(?:[<>]|(?:{_VERBS}|[<>:\s])++|[<\s]*mailto:[^\n]{{0,300}})$"
)
"""The last pieces of a wrapped "On ... wrote:", which are no quoted lines though one begins so."""

BANNERS: Final = re.compile(
    r"(?i)\W{0,12}(?:(?:caution|warning|attention|important|notice|security|external|extern\w{0,2}"
    r"|achtung|vorsicht|warnung|hinweis|avertissement|attenzione|atenci[oó]n|aten[cç][aã]o|let op"
    r"|waarschuwing|varning|advarsel|uwaga|внимание|注意|警告|주의)\b.{0,60})?(?:(?:this"
    r"|the) (?:e-?mail|message|letter|sender) (?:has |is |was |came |comes "
    r"|originat).{0,80}(?:outside|external)|external (?:e-?mail|sender|message|source)|(?:e-?mail"
    r"|message|sender) from outside|extern(?:e[rsn]?)? (?:e-?mail|absender|nachricht|afzender"
    r"|bericht|avsändare|avsender)|(?:diese|dieser) (?:e-?mail|nachricht|absender).{0,60}(?:extern"
    r"|au(?:ß|ss)erhalb)|(?:deze|dit) (?:e-?mail|bericht).{0,60}(?:extern|buiten)|(?:ce|cet"
    r"|cette) (?:courriel|message|e-?mail).{0,80}(?:externe|extérieur)|expéditeur externe|(?:este"
    r"|esta) (?:correo|mensaje|mensagem|e-?mail).{0,80}(?:extern|fuera|fora)|remitente externo"
    r"|questa (?:e-?mail|messaggio).{0,80}(?:estern|fuori)|mittente esterno"
    r"|you don't often get (?:e-?mail|messages) from|sie erhalten nicht (?:häufig|oft) e-?mails?"
    r"|(?:external|extern)\W*$)"
)
"""How the warnings begin that mail servers set above letters from outside."""
