import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import {SMTPServer} from 'smtp-server';
import {onTestFinished, vi} from 'vitest';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly body: string;
}

interface MailServerOptions {
  readonly port?: number;
  /** Returns the answer that refuses a recipient. */
  readonly refuses?: (address: string) => {readonly code: number; readonly text: string} | undefined;
}

/** Starts a mail server that keeps what it gets. */
export async function mailServer({port: wantedPort = 0, refuses}: MailServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({address}, _session, done) {
      const refusal = refuses?.(address);
      done(refusal && Object.assign(new Error(refusal.text), {responseCode: refusal.code}));
    },
    onData(stream, session, done) {
      text(stream).then((raw) => {
        const [head = '', ...rest] = raw.split('\r\n\r\n');
        const subject = /^Subject: (.*(?:\r\n .*)*)/m.exec(head)?.[1]?.replaceAll(/\r\n /g, ' ') ?? '';
        const isQuoted = /quoted-printable/i.test(head);
        const body = rest.join('\n\n').replaceAll('\r\n', '\n');
        const plain = body
          .replaceAll('=\n', '')
          .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
        mails.push({to: session.envelope.rcptTo.map(({address}) => address), subject, body: isQuoted ? plain : body});
        done();
      }, done);
    },
  });
  smtp.listen(wantedPort, '127.0.0.1');
  await once(smtp.server, 'listening');
  const close = () => new Promise<void>((resolve) => smtp.close(() => resolve()));
  onTestFinished(close);
  const {port} = smtp.server.address() as AddressInfo;
  const received = (count: number) => vi.waitUntil(() => mails.length >= count, {timeout: 30_000}).then(() => mails);
  return {close, port, smtpUrl: `smtp://127.0.0.1:${port}`, mails, received};
}
