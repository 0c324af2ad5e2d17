"""A mail server that fails on purpose: it takes letters and hands them on, but not always.

relay.py PORT WAY NEXT EVERY PASSWORD: letters go to the port NEXT by `lmtp` or `smtp`, or by `imap` into the mailbox
of box. Each so-manieth client is told 421 and sent away; letters to nobody@ are refused for good.
"""
import asyncio, imaplib, smtplib, sys
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

port, way, next_port, every, password = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
clients = 0


def hand_on(envelope):
    if way == "imap":
        with imaplib.IMAP4("127.0.0.1", next_port) as client:
            client.login("box", password)
            for to in envelope.rcpt_tos:
                head = f"Return-Path: <{envelope.mail_from or ''}>\r\nDelivered-To: {to}\r\n".encode()
                client.append("INBOX", None, None, head + envelope.content)
        return
    client_class = smtplib.LMTP if way == "lmtp" else smtplib.SMTP
    with client_class("127.0.0.1", next_port) as client:
        client.sendmail(envelope.mail_from or "", envelope.rcpt_tos, envelope.content)


class Handler:
    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        global clients
        clients += 1
        if every and clients % every == 0:
            return ["421 come back later"]
        session.host_name = hostname
        return responses

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 5.1.1 no such hobbit"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        try:
            await asyncio.get_running_loop().run_in_executor(None, hand_on, envelope)
        except smtplib.SMTPException as error:
            return "550 5.1.1 " + str(error).replace("\n", " ")[:200]
        return "250 taken"


class Relay(Controller):
    def factory(self):
        return SMTP(self.handler, enable_SMTPUTF8=True)


relay = Relay(Handler(), hostname="127.0.0.1", port=port)
relay.start()
asyncio.new_event_loop().run_forever()
