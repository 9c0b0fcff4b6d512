import type {Transporter} from 'nodemailer';
import type {Clock} from '#std/clock.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends e-mail in the background. */
export interface Mailer {
  send(mail: Mail): void;
  stop(): void;
}

export interface MailOptions {
  /** Such as `smtps://name:password@mail.example.com`. */
  readonly smtpUrl: string;
  /** The address that mails come from, with or without a name. */
  readonly from: string;
  /** Whether the password of the address may go to a mail server that offers no TLS. */
  readonly allowsPlainLogin?: boolean;
}

/** The waits before a mail that could not be sent is tried again: the mail server may be restarting. */
const retryDelaysMs = [60_000, 600_000];

/** Returns a mailer that hands mails to an SMTP server. */
export function smtpMailer(
  {smtpUrl, from, allowsPlainLogin = false}: MailOptions,
  clock: Clock,
  log: (line: string, error?: unknown) => void,
): Mailer {
  // Without a login, TLS is used where the mail server offers it, as between mail servers.
  const requireTLS = new URL(smtpUrl).username !== '' && !allowsPlainLogin;
  let transport: Promise<Transporter> | undefined;
  const waiting = new Set<() => void>();
  const onBug = (error: unknown) => log('Sending e-mail failed', error);
  async function attempt(mail: Mail, failures: number): Promise<void> {
    try {
      // Loaded with the first mail: most servers send none.
      transport ??= import('nodemailer').then(({createTransport}) => createTransport({url: smtpUrl, requireTLS}));
      await (await transport).sendMail({from, ...mail, headers: {'Auto-Submitted': 'auto-generated'}});
    } catch (error) {
      log(`An e-mail to ${mail.to} could not be sent`, error);
      const delay = retryDelaysMs[failures];
      if (delay === undefined) return;
      const cancel = clock.after(delay, () => {
        waiting.delete(cancel);
        attempt(mail, failures + 1).catch(onBug);
      });
      waiting.add(cancel);
    }
  }
  return {
    send: (mail) => void attempt(mail, 0).catch(onBug),
    stop() {
      for (const cancel of waiting) cancel();
      transport?.then((opened) => opened.close()).catch(onBug);
    },
  };
}
