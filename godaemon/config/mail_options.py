"""The options of [mail] and its sections: incoming and outgoing emails, and their limits."""

from typing import Annotated, Any, Literal, Self
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from godaemon.config import checks
from godaemon.config.checks import DOMAIN, AbsolutePath, GroupName, PerDay, is_loopback
from godaemon.config.section import FileOption, ListenerSection, Secret, Section

Line = Annotated[str, Field(min_length=1, max_length=255), AfterValidator(checks.check_one_line)]
Name = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(checks.check_one_line)]


class Smtp(ListenerSection):
    """[mail.smtp]: the listener for emails, and limits on its clients."""

    listen: Annotated[str, AfterValidator(checks.check_host_port)] | None = "127.0.0.1:8025"
    size_limit: Annotated[int, Field(ge=16_384, le=104_857_600)] = 1_048_576
    recipients: Annotated[int, Field(ge=1, le=10_000)] = 100
    tls_certificate: FileOption | None = None
    tls_key: Secret | None = None
    patience: Annotated[float, Field(gt=0, le=3600)] = 300
    connections: Annotated[int, Field(ge=1, le=100_000)] = 200
    connections_per_source: Annotated[int, Field(ge=1, le=100_000)] = 20
    letters_per_minute: Annotated[int, Field(ge=1, le=1_000_000)] = 60
    relays: list[Annotated[str, AfterValidator(checks.check_network)]] = Field(
        default_factory=lambda: ["127.0.0.0/8", "::1"]
    )

    @model_validator(mode="after")
    def _check_tls_files(self) -> Self:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key go together")
        return self


class Lmtp(ListenerSection):
    """[mail.lmtp]: the listener for our own mail server; off without `listen`."""

    group: GroupName | None = None


class Imap(Section):
    """[mail.imap]: a remote mailbox to fetch emails from; off without `host`."""

    host: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,255}$")] | None = None
    port: Annotated[int, Field(ge=1, le=65_535)] | None = None
    security: Literal["tls", "starttls", "none"] = "tls"
    user: Line | None = None
    password: Secret | None = None
    folder: Line = "INBOX"
    flag: Annotated[str, AfterValidator(checks.check_imap_flag)] = "\\Seen"
    done_folder: Line | None = None
    poll: Annotated[float, Field(ge=1, le=86_400)] = 60
    size_limit: Annotated[int, Field(ge=16_384, le=104_857_600)] = 1_048_576

    @model_validator(mode="after")
    def _check_account(self) -> Self:
        if self.host is None:
            if self.user is not None or self.password is not None:
                raise ValueError("write host: without it no email is fetched")
            return self
        if self.user is None or self.password is None:
            raise ValueError("write user and password: a mailbox needs both")
        if self.security == "none" and not is_loopback(self.host):
            raise ValueError(
                "the password and all emails would cross the network unencrypted; write"
                ' security = "tls", or "starttls"'
            )
        if self.done_folder == self.folder:
            raise ValueError("done_folder must differ from folder")
        return self


class SigningSection(Section):
    """Options of DKIM signatures: the key, its selector, and the signing domain (RFC 6376)."""

    dkim_domain: Annotated[str, Field(pattern=DOMAIN)] | None = None
    dkim_selector: Annotated[str, Field(pattern=DOMAIN)] | None = None
    dkim_key: Secret | None = None

    @model_validator(mode="after")
    def _check_key(self) -> Self:
        if (self.dkim_selector is None) != (self.dkim_key is None):
            raise ValueError("dkim_selector and dkim_key go together")
        if self.dkim_domain is not None and self.dkim_key is None:
            raise ValueError("write dkim_selector and dkim_key too: emails are signed with it")
        return self

    @property
    def signature(self) -> dict[str, Any]:
        """The signing options as keyword arguments."""
        return {name: getattr(self, name) for name in SigningSection.model_fields}


class Outgoing(SigningSection):
    """[mail.outgoing]: the delivery of emails and its retries. Times are in seconds."""

    maildir: AbsolutePath | None = None
    smarthost: Annotated[str, AfterValidator(checks.check_smarthost_url)] | None = None
    smarthost_user: Annotated[str, Field(min_length=1)] | None = None
    smarthost_password: Secret | None = None
    lmtp: Annotated[str, AfterValidator(checks.check_listener)] | None = None
    command: Annotated[list[str], AfterValidator(checks.check_mail_command)] | None = None
    command_seconds: Annotated[float, Field(gt=0, le=100)] = 60
    verp: bool = True
    retry_first: Annotated[float, Field(gt=0, le=3600)] = 5
    retry_limit: Annotated[float, Field(gt=0, le=86_400)] = 900
    give_up_days: Annotated[int, Field(ge=1, le=60)] = 5
    backlog_limit: Annotated[int, Field(ge=10, le=1_000_000)] = 2000

    @model_validator(mode="after")
    def _check_way_out(self) -> Self:
        ways = (self.maildir, self.smarthost, self.lmtp, self.command)
        if sum(way is not None for way in ways) != 1:
            raise ValueError("write only one of maildir, smarthost, lmtp and command")
        if (self.smarthost_user is None) != (self.smarthost_password is None):
            raise ValueError("smarthost_user and smarthost_password go together")
        is_encrypted = self.smarthost is None or self.smarthost_security != "none"
        if self.smarthost_user and not (is_encrypted or is_loopback(self.smarthost_host)):
            raise ValueError(
                "the password would cross the network unencrypted; "
                "write smtps:// or smtp+starttls:// before the smarthost"
            )
        if self.retry_first > self.retry_limit:
            raise ValueError("retry_first may not be longer than retry_limit")
        return self

    @property
    def lmtp_address(self) -> tuple[str, int]:
        """The address of `lmtp`: a host and a port, or the path of a socket and 0."""
        kind, _, path = (self.lmtp or "").partition(":")
        return (path, 0) if kind == "unix" else checks.split_host_port(self.lmtp or "")

    @property
    def destination(self) -> str:
        """The target of emails, for people."""
        if self.lmtp is not None:
            return f"lmtp {self.lmtp}"
        way = self.maildir or self.smarthost
        return str(way) if way is not None else " ".join(self.command or ())

    @property
    def _parts(self) -> SplitResult:
        return urlsplit(self.smarthost or "")

    @property
    def smarthost_host(self) -> str:
        """The name or address of the mail server for our emails; "" without a smarthost."""
        return self._parts.hostname or ""

    @property
    def smarthost_port(self) -> int:
        """The smarthost's port, by default 25, 465 or 587; 0 without a smarthost."""
        return self._parts.port or checks.SMARTHOST_PORTS.get(self._parts.scheme, 0)

    @property
    def smarthost_security(self) -> Literal["none", "tls", "starttls"]:
        """The encryption of the connection: from its start, after STARTTLS, or none."""
        if self._parts.scheme == "smtps":
            return "tls"
        return "starttls" if self._parts.scheme == "smtp+starttls" else "none"


class MailLimits(Section):
    """[mail.limits]: limits on the emails per day that strangers can cause."""

    confirmations_per_sender: PerDay = 20
    invitations_per_sender: PerDay = 20
    invitations_per_address: PerDay = 5
    open_challenges: Annotated[int, Field(ge=0, le=1000)] = 5
    strangers_per_sender: PerDay = 20
    letters_per_stranger: PerDay = 10
    strangers_per_domain: PerDay = 100
    strangers_per_network: PerDay = 50
    strangers_in_all: PerDay = 300


class OwnAddress(SigningSection):
    """[[mail.addresses]]: another address of ours; the default of `name` is that of [mail].

    A `retired` address receives emails, but sends none.
    """

    address: Annotated[str, AfterValidator(checks.check_own_address)]
    name: Name | None = None
    retired: bool = False

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]

    @property
    def signing_domain(self) -> str:
        return self.dkim_domain or self.domain

    def with_key_of(self, main: "OwnAddress") -> "OwnAddress":
        """This address, with the key of `main` if it has none and that signs for its domain."""
        domain = main.signing_domain
        if self.dkim_key or not (self.domain == domain or self.domain.endswith(f".{domain}")):
            return self
        return self.model_copy(update={**main.signature, "dkim_domain": domain})


_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Mail(Section):
    """[mail]: our identity in email."""

    plus_addressing: bool = True
    address: Annotated[str, AfterValidator(checks.check_own_address)] = "go@localhost"
    name: Name = "Go by mail"
    hostname: Annotated[str, Field(pattern=DOMAIN)] | None = None
    invitation_days: Annotated[int, Field(ge=1, le=365)] = 14
    token_key: Secret | None = None
    key_grace_days: Annotated[int, Field(ge=0, le=3650)] = 60
    remember_days: Annotated[int, Field(ge=30, le=36500)] = 60
    trusted_authserv_id: Annotated[str, Field(pattern=DOMAIN)] | None = None
    addresses: list[OwnAddress] = Field(default_factory=list)
    smtp: Smtp
    lmtp: Lmtp
    imap: Imap
    outgoing: Outgoing
    limits: MailLimits

    @model_validator(mode="after")
    def _check_no_loop(self) -> Self:
        if self.smtp.listen is None:
            return self
        host, port = self.smtp.address
        hosts = {host, *(_LOOPBACK if host in {*_LOOPBACK, "0.0.0.0", "::"} else ())}  # noqa: S104
        if self.outgoing.smarthost_host in hosts and self.outgoing.smarthost_port == port:
            raise ValueError(
                "outgoing.smarthost is our own listener (smtp.listen), so no email would"
                " be delivered: write the mail server that forwards them"
            )
        return self

    @property
    def greeting_name(self) -> str:
        """Our name for other mail servers (RFC 5321, 4.1.1.1)."""
        return self.hostname or self.address.rpartition("@")[2]

    @property
    def own(self) -> list[OwnAddress]:
        """All our addresses with their names and keys, the main one first."""
        main = OwnAddress(address=self.address, name=self.name, **self.outgoing.signature)
        others = (one.model_copy(update={"name": one.name or self.name}) for one in self.addresses)
        return [main, *(one.with_key_of(main) for one in others)]

    @property
    def names(self) -> dict[str, str]:
        """The names of our further addresses that send emails, by address."""
        return {one.address: one.name or self.name for one in self.addresses if not one.retired}

    @field_validator("address")
    @classmethod
    def _check_length(cls, address: str, info: ValidationInfo) -> str:
        return (
            checks.check_token_fits(address) if info.data.get("plus_addressing", True) else address
        )

    @field_validator("addresses")
    @classmethod
    def _check_addresses(
        cls, addresses: list[OwnAddress], info: ValidationInfo
    ) -> list[OwnAddress]:
        used = {info.data.get("address", "").casefold()}
        for own in addresses:
            if info.data.get("plus_addressing", True):
                checks.check_token_fits(own.address)
            if own.address.casefold() in used:
                raise ValueError(f"{own.address!r} occurs twice: write each of our addresses once")
            used.add(own.address.casefold())
        return addresses
