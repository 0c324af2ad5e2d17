"""A mail server that fails on purpose: it takes letters and hands them to an LMTP server, but not always.

relay.py PORT LMTP EVERY: each so-manieth client is told 421 and sent away; letters to nobody@ are refused for good.
"""
import asyncio, smtplib, sys
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

port, lmtp, every = map(int, sys.argv[1:])
clients = 0


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
        def deliver():
            with smtplib.LMTP("127.0.0.1", lmtp) as client:
                client.sendmail(envelope.mail_from or "", envelope.rcpt_tos, envelope.content)
        try:
            await asyncio.get_running_loop().run_in_executor(None, deliver)
        except smtplib.SMTPException as error:
            return "550 5.1.1 " + str(error).replace("\n", " ")[:200]
        return "250 taken"


class Relay(Controller):
    def factory(self):
        return SMTP(self.handler, enable_SMTPUTF8=True)


relay = Relay(Handler(), hostname="127.0.0.1", port=port)
relay.start()
asyncio.new_event_loop().run_forever()
