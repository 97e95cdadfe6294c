"""The few verbs that people write in their own language, as whole lines: the words, as data.

Pure; `translations` raises `KeyError` alone, for a verb that has none. A word is here only where it
can mean nothing else on a line of its own; what begins a sentence with it is not such a line.
"""

from __future__ import annotations

from typing import Final

WORDS: Final[dict[str, dict[str, str]]] = {
    "pass": {
        "German": "passe / ich passe / paß / ich passe diesmal / passen",
        "French": "je passe / je passe mon tour / passer",
        "Dutch": "pas / ik pas / passen",
        "Spanish": "paso / yo paso / pasar / pase",
        "Italian": "passo / io passo",
        "Portuguese": "eu passo",
        "Polish": "pasuję / pas",
        "Swedish": "jag passar / passar",
        "Russian": "пас / я пас / пасую",
        "Japanese": "パス / パスします / パスです",
        "Chinese": "停一手 / 虚手 / 虛手 / pass一手 / 停着 / 虚着",
        "Korean": "패스 / 패스합니다 / 한수쉼 / 한 수 쉼 / 한 수 쉽니다",
    },
    "undo": {
        "German": "zurücknehmen / rückgängig / rückgängig machen / zug zurücknehmen / zug zurück"
        " / zug zurück bitte / ich möchte meinen zug zurücknehmen"
        " / kann ich meinen zug zurücknehmen / darf ich meinen zug zurücknehmen",
        "French": "annuler le coup / annuler mon coup / reprendre mon coup"
        " / puis-je reprendre mon coup / je voudrais reprendre mon coup",
        "Dutch": "ongedaan maken / zet terugnemen / mag ik mijn zet terugnemen"
        " / ik wil mijn zet terugnemen",
        "Spanish": "deshacer / deshacer jugada / puedo deshacer la jugada"
        " / puedo deshacer mi jugada / quiero deshacer la jugada",
        "Italian": "annulla mossa / annullare la mossa / posso annullare la mossa"
        " / vorrei annullare la mossa",
        "Portuguese": "desfazer / desfazer jogada / posso desfazer a jogada"
        " / quero desfazer a jogada",
        "Polish": "cofnij / cofnij ruch / czy mogę cofnąć ruch / chcę cofnąć ruch",
        "Swedish": "ångra / ångra drag / får jag ångra mitt drag / jag vill ångra mitt drag",
        "Russian": "отменить ход / можно отменить ход / я хочу отменить ход",
        "Japanese": "待った / 待ったお願いします",
        "Chinese": "悔棋 / 我要悔棋",
        "Korean": "무르기 / 무르기 부탁합니다 / 물러주세요",
    },
    "resign": {
        "German": "aufgeben / ich gebe auf / gebe auf / aufgegeben / ich gebe die partie auf",
        "French": "abandon / abandonne / j'abandonne / abandonner / j'abandonne la partie",
        "Dutch": "opgeven / ik geef op / ik geef het op",
        "Spanish": "abandono / me rindo / yo abandono / abandonar / rendirse",
        "Italian": "abbandono / mi arrendo",
        "Portuguese": "desisto / eu desisto",
        "Polish": "poddaję się / poddaję partię",
        "Swedish": "jag ger upp",
        "Russian": "сдаюсь / я сдаюсь",
        "Japanese": "投了 / 投了します / 投了いたします / 負けました / 参りました / まいりました",
        "Chinese": "认输 / 認輸 / 我认输 / 我認輸 / 我认输了 / 我認輸了 / 投子认负 / 投子認負",
        "Korean": "기권 / 기권합니다 / 불계 / 항복 / 항복합니다 / 졌습니다 / 돌을 던집니다",
    },
    "done": {
        "German": "fertig / ich bin fertig / wir sind fertig",
        "French": "terminé / c'est terminé / j'ai terminé / fini / j'ai fini",
        "Dutch": "klaar / ik ben klaar / gereed",
        "Spanish": "listo / terminado / he terminado / hecho",
        "Italian": "finito / ho finito / fatto",
        "Portuguese": "terminei / concluído",
        "Polish": "gotowe / skończone",
        "Swedish": "jag är klar / färdig / jag är färdig",
        "Russian": "готово / закончил / закончила",
        "Japanese": "完了 / 完了しました / 終局 / 終わりました / 終わりです",
        "Chinese": "完成 / 完成了 / 结束 / 結束 / 终局 / 終局",
        "Korean": "완료 / 완료했습니다 / 끝 / 끝났습니다 / 종국",
    },
    "resume": {
        "German": "weiterspielen / weiter spielen",
        "French": "continuer / reprendre",
        "Dutch": "verder spelen / doorspelen",
        "Spanish": "continuar / seguir jugando / reanudar",
        "Italian": "continuare / riprendere / riprendiamo",
        "Portuguese": "continuar o jogo / retomar",
        "Polish": "grajmy dalej / gramy dalej / wznów",
        "Swedish": "fortsätt / fortsätt spela / spela vidare",
        "Russian": "продолжить / продолжаем / играем дальше",
        "Japanese": "再開 / 続行 / 対局再開",
        "Chinese": "继续 / 繼續 / 继续对局 / 繼續對局",
        "Korean": "계속 / 재개 / 계속합니다",
    },
    "yes": {
        "German": "ja / ja bitte / ja, bitte / ja gerne / ja, gerne / annehmen / ich nehme an"
        " / akzeptieren / ich akzeptiere / angenommen / einverstanden",
        "French": "oui / oui merci / oui, merci / j'accepte / accepte / accepter / d'accord",
        "Dutch": "ja graag / ja, graag / accepteren / akkoord / ik accepteer",
        "Spanish": "sí / si / sí, gracias / acepto / aceptar / de acuerdo",
        "Italian": "sì / accetto / d'accordo",
        "Portuguese": "sim / aceito",
        "Polish": "tak / akceptuję",
        "Swedish": "jag accepterar",
        "Russian": "да / принимаю / согласен / согласна",
        "Japanese": "はい / 承諾 / 承諾します / 受けます / 同意します",
        "Chinese": "接受 / 我接受 / 同意 / 是 / 好 / 好的",
        "Korean": "예 / 네 / 수락 / 수락합니다 / 좋아요 / 동의합니다",
    },
    "no": {
        "German": "nein / nein danke / nein, danke / ablehnen / ich lehne ab / abgelehnt",
        "French": "non / non merci / non, merci / je refuse / refuser / je décline",
        "Dutch": "nee / nee bedankt / nee, bedankt / nee dank je / weigeren / ik weiger",
        "Spanish": "rechazar / rechazo / no gracias / no, gracias",
        "Italian": "rifiuto / no grazie / no, grazie",
        "Portuguese": "não / não, obrigado / não, obrigada / recuso",
        "Polish": "nie / nie, dziękuję / odmawiam",
        "Swedish": "nej / nej tack / nej, tack",
        "Russian": "нет / отказ / отказываюсь",
        "Japanese": "いいえ / 辞退します / お断りします",
        "Chinese": "拒绝 / 拒絕 / 我拒绝 / 我拒絕 / 不 / 不要",
        "Korean": "아니요 / 아니오 / 거절 / 거절합니다",
    },
    "stop": {
        "German": "abmelden / abbestellen / keine e-mails mehr / bitte keine mails mehr",
        "French": "désabonner / me désabonner / se désabonner / désinscription",
        "Dutch": "uitschrijven / afmelden",
        "Spanish": "darme de baja / cancelar suscripción / desuscribirme",
        "Italian": "disiscrivimi / cancellami",
        "Portuguese": "cancelar inscrição / descadastrar",
        "Polish": "wypisz mnie / proszę mnie wypisać",
        "Swedish": "avregistrera mig / avsluta prenumerationen",
        "Russian": "отписаться / отписка",
        "Japanese": "配信停止",
        "Chinese": "退订 / 退訂",
        "Korean": "수신거부",
    },
    "games": {
        "German": "meine partien / meine spiele",
        "French": "mes parties",
        "Dutch": "mijn partijen",
        "Spanish": "mis partidas",
        "Italian": "le mie partite",
        "Portuguese": "minhas partidas / meus jogos",
        "Polish": "moje partie / moje gry",
        "Swedish": "mina partier",
        "Russian": "мои партии / мои игры",
        "Japanese": "対局一覧",
        "Chinese": "我的对局 / 我的對局",
        "Korean": "내 대국",
    },
    "help": {
        "German": "hilfe",
        "French": "aide / à l'aide",
        "Dutch": "hulp",
        "Spanish": "ayuda",
        "Italian": "aiuto",
        "Portuguese": "ajuda",
        "Polish": "pomoc",
        "Swedish": "hjälp",
        "Russian": "помощь",
        "Japanese": "ヘルプ / 使い方",
        "Chinese": "帮助 / 幫助 / 说明 / 說明",
        "Korean": "도움말 / 도움",
    },
}
"""By verb and language: whole lines, apart by ` / `."""


def translations(verb: str) -> tuple[str, ...]:
    """A verb's whole lines in all languages, each once."""
    return tuple(dict.fromkeys(line for words in WORDS[verb].values() for line in lines(words)))


def lines(text: str) -> tuple[str, ...]:
    """Whole lines that stand in one text, apart by ` / `."""
    return tuple(text.split(" / "))
