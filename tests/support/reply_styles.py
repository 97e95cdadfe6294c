# ruff: noqa: RUF001, PLE2502 (the languages and marks that letters are written in)
"""Reply styles as data: how mail programs of many languages set off what they quote.

A style is what stands below the words a person wrote; `RESIGN` in it marks where a quoted line is
planted that would end the game if it were ever read.
"""

from __future__ import annotations

from dataclasses import dataclass

ATTRIBUTIONS = {
    "english, Gmail": "On Fri, Nov 20, 2026 at 10:00 AM Go <go+34-b-57-2-x@example.org> wrote:",
    "english, Apple": "On Nov 20, 2026, at 10:00 AM, Go <go@example.org> wrote:",
    "english, mutt": "On Fri, Nov 20, 2026 at 10:00:00AM +0100, Go wrote:",
    "english, Thunderbird": "On 11/20/26 10:00, Go wrote:",
    "english, a name": "Go <go@example.org> wrote:",
    "german": "Am Fr., 20. Nov. 2026 um 10:00 Uhr schrieb Go <go@example.org>:",
    "german, Apple": "Am 20.11.2026 um 10:00 schrieb Go <go@example.org>:",
    "french": "Le ven. 20 nov. 2026 à 10:00, Go <go@example.org> a écrit :",
    "dutch": "Op vr 20 nov. 2026 om 10:00 schreef Go <go@example.org>:",
    "spanish": "El vie, 20 nov 2026 a las 10:00, Go (<go@example.org>) escribió:",
    "portuguese": "Em sex., 20 de nov. de 2026 às 10:00, Go <go@example.org> escreveu:",
    "italian": "Il giorno ven 20 nov 2026 alle ore 10:00 Go <go@example.org> ha scritto:",
    "swedish": "Den fre 20 nov. 2026 kl 10:00 skrev Go <go@example.org>:",
    "danish": "Den fre. 20. nov. 2026 kl. 10.00 skrev Go <go@example.org>:",
    "norwegian": "fre. 20. nov. 2026 kl. 10:00 skrev Go <go@example.org>:",
    "finnish": "pe 20. marrask. 2026 klo 10.00 Go (go@example.org) kirjoitti:",
    "polish": "pt., 20 lis 2026 o 10:00 Go <go@example.org> napisał(a):",
    "czech": "pá 20. 11. 2026 v 10:00 odesílatel Go <go@example.org> napsal:",
    "hungarian": "Go <go@example.org> ezt írta (időpont: 2026. nov. 20., P, 10:00):",
    "turkish": "Go <go@example.org>, 20 Kas 2026 Cum, 10:00 tarihinde şunu yazdı:",
    "russian": "пт, 20 нояб. 2026 г. в 10:00, Go <go@example.org>:",
    "russian, wrote": "20.11.2026 10:00, Go пишет:",
    "ukrainian": "пт, 20 лист. 2026 р. о 10:00 Go <go@example.org> пише:",
    "greek": "Στις Παρ 20 Νοε 2026 στις 10:00 π.μ., ο χρήστης Go <go@example.org> έγραψε:",
    "japanese": "2026年11月20日(金) 10:00 Go <go@example.org>:",
    "japanese, wrote": "2026/11/20 10:00、Goさんは書きました:",
    "chinese": "Go <go@example.org> 于2026年11月20日周五 10:00写道：",
    "chinese, Taiwan": "Go <go@example.org> 於 2026年11月20日 週五 上午10:00寫道：",
    "korean": "2026년 11월 20일 (금) 오전 10:00, Go <go@example.org>님이 작성:",
    "hebrew": "‫בתאריך יום ו׳, 20 בנוב׳ 2026 ב-10:00 מאת ‪Go‬‏ <‪go@example.org‬‏>:‬",
    "vietnamese": "Vào Th 6, 20 thg 11, 2026 lúc 10:00 Go <go@example.org> đã viết:",
    "romanian": "În vin., 20 nov. 2026 la 10:00, Go <go@example.org> a scris:",
    "catalan": "El dv., 20 de nov. 2026, 10:00, Go <go@example.org> va escriure:",
    "english, Yahoo": "On Friday, November 20, 2026, 10:00:00 AM GMT+1, Go <go@example.org> wrote:",
    "english, Proton": "On Friday, November 20th, 2026 at 10:00 AM, Go <go@example.org> wrote:",
    "english, Fastmail": "On Fri, Nov 20, 2026, at 10:00 AM, Go wrote:",
    "english, Roundcube": "On 2026-11-20 10:00, Go wrote:",
    "english, Outlook for Mac": 'On 11/20/26, 10:00 AM, "Go" <go@example.org> wrote:',
    "english, Evolution": "On Fri, 2026-11-20 at 10:00 +0100, Go wrote:",
    "english, KMail": "On Friday, 20 November 2026 10:00:00 CET Go wrote:",
    "english, Gnus": "Go <go@example.org> writes:",
    "english, NetEase": 'At 2026-11-20 10:00:00, "Go" <go@example.org> wrote:',
    "english, no colon": "On Fri, 20 Nov 2026 10:00:00 +0100 Go <go@example.org> wrote",
    "english, Horde": "Quoting Go <go@example.org>:",
    "english, mutt, stars": "* Go <go@example.org> [2026-11-20 10:00]:",
    "german, Yahoo": (
        "Am Freitag, 20. November 2026, 10:00:00 MEZ hat Go <go@example.org> Folgendes geschrieben:"
    ),
    "german, Proton": "Am Freitag, 20. November 2026 um 10:00, schrieb Go <go@example.org>:",
    "german, K-9": "Am 20. November 2026 10:00:00 MEZ schrieb Go <go@example.org>:",
    "german, Thunderbird": "Am 20.11.26 um 10:00 schrieb Go:",
    "german, Notes": "Go <go@example.org> schrieb am 20.11.2026 10:00:00:",
    "german, Horde": "Zitat von Go <go@example.org>:",
    "german, Tuta": "20. Nov. 2026, 10:00 von go@example.org:",
    "french, Apple": "Le 20 nov. 2026 à 10:00, Go <go@example.org> a écrit :",
    "french, Thunderbird": "Le 20/11/2026 à 10:00, Go a écrit :",
    "french, Yahoo": "Le vendredi 20 novembre 2026 à 10:00:00 UTC+1, Go <go@example.org> a écrit :",
    "dutch, Thunderbird": "Op 20-11-2026 om 10:00 schreef Go:",
    "dutch, Apple": "Op 20 nov. 2026 om 10:00 heeft Go <go@example.org> het volgende geschreven:",
    "spanish, Apple": "El 20 nov 2026, a las 10:00, Go <go@example.org> escribió:",
    "spanish, Thunderbird": "El 20/11/26 a las 10:00, Go escribió:",
    "portuguese, Thunderbird": "Em 20/11/2026 10:00, Go escreveu:",
    "portuguese, Portugal": "Go <go@example.org> escreveu (sexta, 20/11/2026 à(s) 10:00):",
    "italian, Thunderbird": "Il 20/11/2026 10:00, Go ha scritto:",
    "italian, Apple": "Il giorno 20 nov 2026, alle ore 10:00, Go <go@example.org> ha scritto:",
    "swedish, Thunderbird": "Den 2026-11-20 kl. 10:00, skrev Go:",
    "swedish, Apple": "20 nov. 2026 kl. 10:00 skrev Go <go@example.org>:",
    "danish, Apple": "Den 20. nov. 2026 kl. 10.00 skrev Go <go@example.org>:",
    "norwegian, Thunderbird": "Den 20.11.2026 10:00, skrev Go:",
    "finnish, Apple": "Go <go@example.org> kirjoitti 20.11.2026 kello 10.00:",
    "polish, Apple": (
        "Wiadomość napisana przez Go <go@example.org> w dniu 20 lis 2026, o godz. 10:00:"
    ),
    "polish, Thunderbird": "W dniu 20.11.2026 o 10:00, Go pisze:",
    "czech, Thunderbird": "Dne 20. 11. 26 v 10:00 Go napsal(a):",
    "slovak": "pi 20. 11. 2026 o 10:00 Go <go@example.org> napísal(a):",
    "croatian": "pet, 20. stu 2026. u 10:00 Go <go@example.org> napisao je:",
    "serbian": "пет, 20. нов 2026. у 10:00 Go <go@example.org> је написао/ла:",
    "bulgarian": "На пт, 20.11.2026 г. в 10:00 Go <go@example.org> написа:",
    "slovene": "V V pet., 20. nov. 2026 ob 10:00 je oseba Go <go@example.org> napisala:",
    "estonian": "Kuupäev R, 20. november 2026 kell 10:00 kirjutas Go (<go@example.org>):",
    "latvian": (
        "piektd., 2026. g. 20. nov., plkst. 10:00 — lietotājs Go (<go@example.org>) rakstīja:"
    ),
    "lithuanian": "2026-11-20, pn, 10:00 Go <go@example.org> rašė:",
    "icelandic": "fös. 20. nóv. 2026 kl. 10:00, skrifaði Go <go@example.org>:",
    "indonesian": "Pada tanggal Jum, 20 Nov 2026 pukul 10.00 Go <go@example.org> menulis:",
    "thai": "ในวันที่ ศ. 20 พ.ย. 2026 เวลา 10:00 Go <go@example.org> เขียนว่า:",
    "hindi": "शुक्र, 20 नव॰ 2026 को 10:00 am बजे को Go <go@example.org> ने लिखा:",
    "arabic": (
        "في الجمعة، 20 نوفمبر 2026 في 10:00 ص تمت كتابة ما يلي بواسطة Go <go@example.org>:\u202c"
    ),
    "persian": "در تاریخ جمعه ۲۰ نوامبر ۲۰۲۶،\u200f ۱۰:۰۰ Go <go@example.org> نوشت:",
    "galician": "O ven., 20 de nov. de 2026 ás 10:00, Go (<go@example.org>) escribiu:",
    "filipino": "Noong Biy, Nob 20, 2026 nang 10:00 AM, isinulat ni Go <go@example.org> ang:",
    "russian, Apple": "20 нояб. 2026 г., в 10:00, Go <go@example.org> написал(а):",
    "russian, Yandex": '20.11.2026, 10:00, "Go" <go@example.org>:',
    "russian, Mail.ru": "Пятница, 20 ноября 2026, 10:00 +03:00 от Go <go@example.org>:",
    "japanese, Apple": "2026/11/20 10:00、Go <go@example.org>のメール:",
    "japanese, Yahoo": "2026年11月20日金曜日 10:00:00 JST、Go<go@example.org>が書いたメール:",
    "japanese, Thunderbird": "On 2026/11/20 10:00, Go wrote:",
    "chinese, Apple": "在 2026年11月20日，上午10:00，Go <go@example.org> 写道：",
    "chinese, NetEase": '在 2026-11-20 10:00:00，"Go" <go@example.org> 写道：',
    "chinese, Thunderbird": "在 2026/11/20 10:00, Go 写道:",
    "korean, Apple": "2026. 11. 20. 오전 10:00, Go <go@example.org> 작성:",
    "korean, Thunderbird": "2026-11-20 오전 10:00에 Go 이(가) 쓴 글:",
    "turkish, Thunderbird": "20.11.2026 10:00 tarihinde Go yazdı:",
    "hungarian, Thunderbird": "2026. 11. 20. 10:00 keltezéssel, Go írta:",
    "greek, Thunderbird": "Στις 20/11/2026 10:00 π.μ., ο/η Go έγραψε:",
    "ukrainian, Thunderbird": "20.11.2026 10:00, Go пише:",
}
"""What programs write above a quotation, by language and program."""

HEADERS = {
    "english": "From: Go <go@example.org>\nSent: Friday, November 20, 2026\nTo: Bob\nSubject: x",
    "english, bold": "*From:* Go <go@example.org>\n*Sent:* Friday\n*To:* Bob\n*Subject:* x",
    "english, no mailbox": "From: Go\nSent: Friday, November 20, 2026\nTo: Bob\nSubject: x",
    "german": "Von: Go <go@example.org>\nGesendet: Freitag, 20. November 2026\nAn: Bob\nBetreff: x",
    "french": "De : Go <go@example.org>\nEnvoyé : vendredi 20 novembre 2026\nÀ : Bob\nObjet : x",
    "dutch": "Van: Go\nVerzonden: vrijdag 20 november 2026\nAan: Bob\nOnderwerp: x",
    "spanish": "De: Go\nEnviado: viernes, 20 de noviembre de 2026\nPara: Bob\nAsunto: x",
    "italian": "Da: Go\nInviato: venerdì 20 novembre 2026\nA: Bob\nOggetto: x",
    "portuguese": "De: Go\nEnviado: sexta-feira, 20 de novembro de 2026\nPara: Bob\nAssunto: x",
    "swedish": "Från: Go\nSkickat: den 20 november 2026\nTill: Bob\nÄmne: x",
    "danish": "Fra: Go\nSendt: 20. november 2026 10:00\nTil: Bob\nEmne: x",
    "norwegian": "Fra: Go\nSendt: fredag 20. november 2026 10:00\nTil: Bob\nEmne: x",
    "finnish": "Lähettäjä: Go\nLähetetty: perjantai 20.11.2026\nVastaanottaja: B\nAihe: x",
    "polish": "Od: Go\nWysłano: piątek, 20 listopada 2026\nDo: Bob\nTemat: x",
    "czech": "Od: Go\nOdesláno: pátek 20. listopadu 2026\nKomu: Bob\nPředmět: x",
    "hungarian": "Feladó: Go\nElküldve: 2026. november 20.\nCímzett: Bob\nTárgy: x",
    "turkish": "Gönderen: Go\nGönderildi: 20 Kasım 2026 Cuma\nKime: Bob\nKonu: x",
    "ukrainian": "Від: Go\nНадіслано: 20 листопада 2026 р.\nКому: Bob\nТема: x",
    "greek": "Από: Go\nΣτάλθηκε: Παρασκευή, 20 Νοεμβρίου 2026\nΠρος: Bob\nΘέμα: x",
    "chinese, Taiwan": "寄件者: Go\n寄件日期: 2026年11月20日\n收件者: Bob\n主旨: x",
    "russian": "От: Go\nОтправлено: 20 ноября 2026 г.\nКому: Bob\nТема: x",
    "japanese": "差出人: Go\n送信日時: 2026年11月20日\n宛先: Bob\n件名: x",
    "chinese": "发件人： Go\n发送时间： 2026年11月20日\n收件人： Bob\n主题： x",
    "korean": "보낸 사람: Go\n보낸 날짜: 2026년 11월 20일\n받는 사람: Bob\n제목: x",
}
"""The header blocks that Outlook and its kin put above a quotation without marks."""

ENDS = {
    "Outlook's rule": "________________________________",
    "a rule of dashes": "------------------------------",
    "english title": "-----Original Message-----",
    "german title": "-----Ursprüngliche Nachricht-----",
    "french title": "-----Message d'origine-----",
    "dutch title": "-----Oorspronkelijk bericht-----",
    "spanish title": "-----Mensaje original-----",
    "italian title": "-----Messaggio originale-----",
    "portuguese title": "-----Mensagem original-----",
    "polish title": "-----Wiadomość oryginalna-----",
    "danish title": "-----Oprindelig meddelelse-----",
    "japanese title": "-----元のメッセージ-----",
    "korean title": "-----원본 메시지-----",
    "swedish title": "-----Ursprungligt meddelande-----",
    "russian title": "-----Исходное сообщение-----",
    "chinese title": "------------------ 原始邮件 ------------------",
    "Proton's title": "------- Original Message -------",
    "Gmail's forward": "---------- Forwarded message ---------",
    "Apple's forward": "Begin forwarded message:",
    "Zoho": "---- On Fri, 20 Nov 2026 10:00:00 +0100 Go <go@example.org> wrote ----",
    "signature": "-- ",
    "signature, trimmed": "--",
    "iPhone": "Sent from my iPhone",
    "iPhone, german": "Von meinem iPhone gesendet",
    "iPhone, french": "Envoyé de mon iPhone",
    "iPhone, spanish": "Enviado desde mi iPhone",
    "iPhone, dutch": "Verstuurd vanaf mijn iPhone",
    "iPhone, japanese": "iPhoneから送信",
    "iPhone, chinese": "发自我的iPhone",
    "iPhone, korean": "나의 iPhone에서 보냄",
    "Outlook for a telephone": "Get Outlook for iOS<https://aka.ms/o0ukef>",
    "Proton": "Sent with Proton Mail secure email.",
    "our marker": "-- reply above this line --",
}
"""Single lines after which nothing is the sender's new text."""

SIGN_OFFS = {
    "Yahoo's promotion": "Yahoo Mail: Search, Organize, Conquer",
    "Yahoo's promotion, british": "Yahoo Mail: Search, organise, conquer",
    "Yahoo's promotion, german": "Yahoo Mail: Suchen, organisieren, erobern",
    "Yahoo's promotion, french": "Yahoo Mail : Recherchez, organisez, conquérez",
    "Yahoo's promotion, linked": "[Yahoo Mail: Search, Organize, Conquer](https://mail.example/1?a=b)",
    "Yahoo for iPhone": "Sent from Yahoo Mail for iPhone",
    "Yahoo for Android": "Sent from Yahoo Mail on Android",
    "AOL": "Sent from the all new AOL app for iOS",
    "Superhuman": "Sent via Superhuman",
    "Superhuman, linked": "Sent via Superhuman ( https://sprh.example/?vip=bob@players.example )",
    "Superhuman, marked up": "Sent via [Superhuman](https://sprh.example/?vip=bob@players.example)",
    "GMX's app": "-- \nGesendet mit der GMX Mail App",
    "GMX's app, english": "Sent with GMX Mail app",
    "WEB.DE's app": "Gesendet mit der WEB.DE Mail App",
    "Telekom": "Gesendet mit der Telekom Mail App",
    "Postbox": "Sent from Postbox <https://www.postbox.example/?utm_source=email>",
    "Mimestream": "Sent with Mimestream",
    "Shortwave": "Sent via Shortwave ( https://www.shortwave.example )",
    "Missive": "Sent from Missive",
    "eM Client": "Sent with eM Client",
    "Mailbird": "Sent from Mailbird [http://www.getmailbird.example/?utm_source=Mailbird]",
    "HEY": "Sent from HEY",
    "Notion": "Sent with Notion Mail",
    "Boomerang": "Sent using Boomerang",
    "Mailtrack": "Sender notified by\nMailtrack\n11/20/26, 10:00:00 AM",
    "Mailtrack, an image": (
        "[image: Mailtrack]\n<https://mailtrack.example/?utm_medium=signature>\nSender\n"
        "notified by\nMailtrack\n20/11/26,\n10:00:00"
    ),
    "Avast, a link": (
        "<https://avast.example/sig-email?utm_medium=email>\nVirenfrei.www.avast.com\n"
        "<https://avast.example/sig-email?utm_medium=email>\n<#DAB4>"
    ),
    "Avast, an image": "[image: width=]\n<https://avast.example/sig-email>\nVirus-free",
    "Outlook, german": "Beziehen Sie Outlook für iOS<https://aka.example/x>",
    "a label": "Classification: Public",
    "a label of two words": "Sensitivity: Internal Use",
    "a label, german": "Klassifizierung: öffentlich",
    "a company, japanese": "━━━━━━━━\n株式会社囲碁\nTEL: 03-0000-0000\n━━━━━━━━",
    "a name, japanese": "────────────\n田中\n────────────",
    "confidential, french": (
        "Ce courriel et ses pièces jointes sont confidentiels et réservés à leurs destinataires."
    ),
    "confidential, french, long": (
        "Ce message (et ses annexes) est adressé à l'attention exclusive de la personne qu'il nomme"
        ", qui est priée de n'en rien dire, et peut contenir des informations confidentielles."
    ),
    "confidential, french, what is in it": (
        "Les informations contenues dans ce message sont confidentielles."
    ),
    "confidential, french, titled": "Avis de confidentialité :\nce message est pour vous seul.",
    "docomo": "ドコモのケータイから送信",
    "Orange": "Envoyé depuis l'application Mail Orange",
    "WP": "Wysłane z aplikacji WP Poczta",
    "Mail.ru": "Отправлено из мобильной Почты Mail",
    "Libero": "Inviato da Libero Mail",
    "163's card": "Bob\nbob@players.example\n签名由 网易邮箱大师 定制",
    "163's card, labelled": "Bob\n邮箱：bob@players.example\n签名由网易邮箱大师定制",
    "163's card, english": (
        "Bob\n\nEmail：bob@players.example\n\nSignature is customized by Netease Mail Master"
    ),
    "163's card, as a table": "| |\nBob\n|\n|\nbob@players.example\n|",
    "QQ's card": "Bob\nbob@players.example\n\n\n&nbsp;",
    "QQ's card under a rule": "------------------\nBob\nbob@players.example",
    "a card with a number": "bob@players.example | +234 170 1234",
    "a card with a label": "E: bob@players.example",
    "a telephone, vietnamese": "Được gửi từ iPhone của tôi",
    "a telephone, chinese": "来自我的华为手机",
    "a telephone's company": "Email sent using Optimum Email app",
    "Foxmail's card": "\n\nbob@players.example\n",
    "a telephone, arabic": "أُرسلت من هاتفي",
    "a telephone of a make, arabic": "تم الإرسال من الـ iPhone الخاص بي",
    "Yahoo for Android, arabic": "تم الإرسال من بريد Yahoo على Android",
    "a telephone, persian": "ارسال شده از گوشی من",
    "a telephone, polish": "Wysłano z mojego telefonu",
    "TypeApp": "TypeApp for Android",
    "TypeApp alone": "TypeApp",
    "TypeApp, german": "Gesendet mit TypeApp",
    "TypeApp, marked": "\u2063Sent with TypeApp \u200b",
    "a scanner": "This email has been checked for viruses by Avast antivirus software.",
    "a scanner, polish": "Ten e-mail został sprawdzony pod kątem wirusów",
    "Avast, polish": "Ta wiadomość e-mail została sprawdzona pod kątem wirusów przez Avast.",
    "a scanner, polish, short": "Wiadomość przeskanowana programem antywirusowym",
    "Avast, german": "Diese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft.",
    "Avast, french": "L'absence de virus dans ce courrier électronique a été vérifiée par Avast.",
    "Avast, spanish": "El software de antivirus Avast ha analizado este correo en busca de virus.",
    "Avast, portuguese": "O software antivírus Avast verificou a presença de vírus neste email.",
    "Avast, czech": "Tato zpráva byla zkontrolována na viry programem Avast Antivirus.",
    "Avast, russian": "Это сообщение проверено на вирусы антивирусом Avast.",
    "Avast, swedish": "Detta e-postmeddelande har sökts igenom efter virus av Avast.",
    "Avast, hungarian": "Ez az e-mail az Avast víruskereső szoftverrel átvizsgálásra került.",
    "Avast, turkish": "Bu e-posta virüslere karşı Avast tarafından kontrol edilmiştir.",
    "a name and an office": "Bob Okafor\nHead of Sales",
    "a name, an office and where": "Bob\nData Scientist, R&D\nUniversity of Lagos",
    "a name and an office, above a telephone": "Bob Okafor\nKraftfahrer\n\nGesendet mit HEY",
}
"""What programs set below a person's words; a card shows their address."""

HEADINGS = {
    "Yahoo, on one line": (
        "  On Fri, Nov 20, 2026 at 10:00 AM, Go<go@example.org> wrote:   Bob played Q16."
    ),
    "GMX, without a colon": "Am 20.11.26 um 10:00 schrieb Go by mail",
    "GMX, comma": "Am 20.11.26, 10:00 schrieb Go <go@example.org>:",
    "GMX, a header": (
        'Gesendet: Freitag, 20. November 2026 um 10:00 Uhr\nVon: "Go by mail"\nAn: Bob\nBetreff: x'
    ),
    "FreeScout": "Quote On: 20 November 2026 10:00 AM\n",
    "Postbox": "Go by mail <mailto:go@example.org>\nNovember 20, 2026 at 10:00 AM",
    "Postbox, wrote": "Go by mail wrote on 11/20/26 10:00 AM:",
    "Notes, wrote": '-----"Go by mail" <go@example.org> wrote: -----\n\nTo: bob@players.example',
    "Notes, wrapped": '-----"Go by mail, a long name" <go@example.org> wrote:\n-----\n\nTo: bob',
    "Notes, german": '-----"Go by mail" <go@example.org> schrieb: -----\nAn: Bob\nVon: Go',
    "Notes, french": "-----Go <go@example.org> a écrit : -----\nA : Bob\nDe : Go",
    "Notes, a table": (
        '"Go by mail" <go@example.org>\n20/11/2026 10:00\n\nTo\n"Bob" <bob@players.example>\ncc\n'
    ),
    "Notes, a table in ASCII": (
        "|------------>\n| From:      |\n|------------>\n  >-----------------------|\n"
        '  |"Go by mail" <go@example.org> |\n  >-----------------------|'
    ),
    "Notes, on one line": "Go by mail ---11/20/2026 10:00:00 AM---Bob played Q16 (move 57).",
    "Notes, on one line, german": "[cid:graycol.gif]Go ---20.11.2026 10:00:00---Bob played Q16",
    "163, replied": "---- 回复的原邮件 ----\n| 发件人 | Go<go@example.org> |\n| 日期 | 2026年 |",
    "163, replied, english": "---- Replied Message ----\n| From | Go<go@example.org> |",
}
"""What programs write above a quotation without any marks, beside attributions and headers."""

_QUOTED = ("Bob played Q16.", "", "RESIGN", "", "Reply with: D4")


@dataclass(frozen=True, slots=True)
class Style:
    """One way to quote: a name for the test's report, and what stands below the new words."""

    name: str
    below: str


def _marked(prefix: str) -> str:
    return "\n".join(f"{prefix}{line}".rstrip() for line in _QUOTED)


def _wrapped(line: str, at: int) -> str:
    """A line as programs wrap it: at the last space before a width."""
    cut = line.rfind(" ", 0, at)
    return line if cut <= 0 or len(line) <= at else f"{line[:cut]}\n{line[cut + 1 :]}"


def styles() -> list[Style]:
    """Every style: attributions plain, wrapped and with each quotation mark; headers; ends."""
    found = []
    for name, line in ATTRIBUTIONS.items():
        found.append(Style(f"{name}, marked", f"{line}\n{_marked('> ')}"))
        found.append(Style(f"{name}, marked without space", f"{line}\n\n{_marked('>')}"))
        found.append(Style(f"{name}, unmarked", f"{line}\n\n{_marked('')}"))
        found.append(Style(f"{name}, wrapped", f"{_wrapped(line, 40)}\n\n{_marked('')}"))
        found.append(Style(f"{name}, wrapped late", f"{_wrapped(line, 60)}\n{_marked('')}"))
    for name, block in HEADERS.items():
        found.append(Style(f"{name} header", f"{block}\n\n{_marked('')}"))
        rule = "_" * 32
        found.append(Style(f"{name} header under a rule", f"{rule}\n{block}\n\n{_marked('')}"))
    found.extend(Style(name, f"{line}\n{_marked('')}") for name, line in ENDS.items())
    found.extend(Style(name, f"{said}\n\n{_marked('> ')}") for name, said in SIGN_OFFS.items())
    found.extend(Style(name, f"{said}\n\n{_marked('')}") for name, said in HEADINGS.items())
    found.append(Style("bare quotation", _marked("> ")))
    found.append(Style("quotation with initials", _marked("GO> ")))
    found.append(Style("quotation with bars", _marked("| ")))
    return found
