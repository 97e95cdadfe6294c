"""Sign-offs: what mail programs set at the very end of a letter that their users never wrote.

Pure; raises nothing. Further up such lines may be a person's own, so they are taken off the end
alone: "Sent from ...", an advertisement, a card with the writer's address.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_SENT_BY = re.compile(
    r"(?:securely |(?:this )?(?:e-?mail|message) (?:was )?)?sent (?:from|via|with|using|by"
    r"|through) |powered by |được gửi từ |来自我的|發自|发自|gesendet (?:von|mit|über) "
    r"|envoyée? (?:de|depuis|à partir|avec|via) |enviad[oa] (?:desde|con|do|de|com|via|a partir) "
    r"|inviat[oa] (?:da|con) |ver(?:zonden|stuurd) (?:vanaf|vanuit|met|via|van) |(?:skickat"
    r"|sendt) fr(?:ån|a) |lähetetty |wysłan[aeoy] (?:z|za) |odesláno z |trimis d"
    r"|отправлен[оа] (?:из|с|через) |надіслано з |εστάλη |στάλθηκε |küldve "
)
_SENT_AT_END = ("から送信", "で送信", "에서 보냄", "gönderildi")
_MOST_WORDS = 7
_ADVERTISEMENT = re.compile(
    r"(?:yahoo|aol|at&t|gmx|web\.de|zoho|rediff) ?mail(?: app)? ?[:：–-] ?[^.?!]{3,60}"
)
_LINK = re.compile(r"\s?[(<\[]\s?(?:https?://|mailto:)[^\s)>\]]*\s?[)>\]].*$")
_LINKED = re.compile(r"\[([^\[\]]{1,80})\]")
_LABEL = re.compile(r"\b(?:e-?mail|mail(?:to)?|e|m|邮箱(?:地址)?|邮件|电子邮件)\s?[:：]")


def without_sign_off(lines: Sequence[str], address: str = "", name: str = "") -> tuple[str, ...]:
    """A letter's new text without what its program set below it; `address` is its writer's.

    >>> without_sign_off(["D4", "", "Sent via Superhuman ( https://sprh.example/x )"])
    ('D4',)
    >>> without_sign_off(["D4", "", "Bob", "bob@example.org"], "bob@example.org", "Bob")
    ('D4',)
    """
    kept = list(lines)
    card = False
    while kept and (not kept[-1] or _signs_off(kept[-1]) or _shows(kept[-1], address, name)):
        card |= bool(kept[-1]) and not _signs_off(kept[-1])
        kept.pop()
        if card and kept and kept[-1].casefold() == name.casefold():
            kept.pop()
    return tuple(kept)


def _signs_off(line: str) -> bool:
    plain = _LINKED.sub(r"\1", _LINK.sub("", line)).casefold().strip(" .*_")
    if len(plain.split()) > _MOST_WORDS:
        return False
    sent = _SENT_BY.match(plain) or plain.endswith(_SENT_AT_END)
    return bool(sent or _ADVERTISEMENT.fullmatch(plain))


def _shows(line: str, address: str, name: str) -> bool:
    """True where a line is the writer's own address, with no words but a label and their name."""
    plain, own = line.casefold(), address.casefold()
    if not own or own not in plain:
        return False
    said = _LABEL.sub("", plain.replace(own, " ").replace(name.casefold() or own, " "))
    return re.search(r"[^\W\d_]", said) is None
