import type {Transporter} from 'nodemailer';
import type {Database} from '#server/db/database.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A mail that waits to be sent. It is written when it is sent: until then, its texts and links are not stored. */
export interface QueuedMail {
  readonly kind: 'invitation' | 'password' | 'missed';
  readonly recipient: string;
  /** The ids of what it is about. */
  readonly about: {
    readonly user_id?: number;
    readonly invite_id?: number;
    readonly message_ids?: readonly number[];
  };
}

/** What the queue needs of an action. */
interface QueueingAction {
  readonly db: Database;
  readonly now: number;
  afterCommit(task: () => void): void;
}

/** Sends e-mail in the background. */
export interface Mailer {
  /** Puts a mail into the queue, in the transaction of the action. */
  queue(act: QueueingAction, mail: QueuedMail): void;
  /** Sends a mail now. Throws if the mail server does not take it. */
  test(to: string): Promise<void>;
  /** Tries everything that waits, or was given up, now. Returns how many. */
  retry(): number;
  /** Why the mail server could not be used the last time; undefined if it could. */
  readonly problem: string | undefined;
  /** The mails that were sent since the start. */
  readonly sentCount: number;
  /** Checks the mail server, and begins to send. */
  start(): void;
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

/** A mail server that accepts a connection and then says nothing must not stop the queue. */
const timeoutMs = 30_000;

/** Returns what hands mails to an SMTP server. */
export function smtpTransport({smtpUrl, from, allowsPlainLogin = false}: MailOptions) {
  // Without a login, TLS is used where the mail server offers it, as between mail servers.
  const requireTLS = new URL(smtpUrl).username !== '' && !allowsPlainLogin;
  let opened: Promise<Transporter> | undefined;
  const open = () => {
    // Loaded with the first mail: most servers send none.
    opened ??= import('nodemailer').then(({createTransport}) =>
      createTransport({url: smtpUrl, requireTLS, connectionTimeout: timeoutMs, socketTimeout: timeoutMs}),
    );
    return opened;
  };
  return {
    async send(mail: Mail): Promise<void> {
      await (await open()).sendMail({from, ...mail, headers: {'Auto-Submitted': 'auto-generated'}});
    },
    /** Throws if the mail server cannot be reached, or refuses the login. */
    async verify(): Promise<void> {
      await (await open()).verify();
    },
    async close(): Promise<void> {
      (await opened)?.close();
    },
  };
}
