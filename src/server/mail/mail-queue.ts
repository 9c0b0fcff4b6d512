import {sendPersonalNotice} from '#server/actions/messages/send-message.ts';
import {BackgroundTask, type Log} from '#server/background-task.ts';
import type {ActionContext, ServerContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {findInvite} from '#server/db/organization-items.ts';
import {errorText} from '#std/error-text.ts';
import {invitationMail, passwordMail} from './account-mails.ts';
import {type Mail, type Mailer, type MailOptions, type QueuedMail, smtpTransport} from './mailer.ts';
import {missedMessageMail} from './missed-messages.ts';

interface MailRow {
  readonly id: number;
  readonly kind: QueuedMail['kind'];
  readonly recipient: string;
  /** JSON. */
  readonly about: string;
  readonly created_at: number;
  readonly attempts: number;
  /** Null for a mail that was given up. */
  readonly due_at: number | null;
  readonly error: string | null;
}

/** The wait after the first failure, which doubles with each one; and the longest. In seconds. */
const firstWait = 60;
const longestWait = 4 * 3600;
/** A mail that could not be sent in this time is given up. */
const givenUpAfter = 2 * 86_400;
/** A mail that was given up is shown for this time. */
const shownFor = 30 * 86_400;
const maxSleepMs = 3600_000;

/** Writes a mail, by its kind. Returns undefined if there is no reason for it any more. */
const writers: Readonly<
  Record<QueuedMail['kind'], (act: ActionContext, about: QueuedMail['about']) => Mail | undefined>
> = {
  invitation: invitationMail,
  password: passwordMail,
  missed: missedMessageMail,
};

export function queuedMails(db: Database): readonly MailRow[] {
  return db.all<MailRow>('SELECT * FROM mail_queue ORDER BY id');
}

/** Returns the numbers of mails that wait, of those among them that failed before, and of those that were given up. */
export function mailNumbers(db: Database): {waiting: number; failed: number; givenUp: number} {
  const sql = `SELECT count(due_at) AS waiting, coalesce(sum(due_at IS NOT NULL AND attempts > 0), 0) AS failed,
    count(*) - count(due_at) AS givenUp FROM mail_queue`;
  return db.get(sql) ?? {waiting: 0, failed: 0, givenUp: 0};
}

/** Returns a mailer whose queue is in the database, so that a restart loses nothing. */
export function createMailer(options: MailOptions, serverOf: () => ServerContext, log: Log): Mailer {
  const transport = smtpTransport(options);
  const isStopped = () => !serverOf().db.isOpen;
  let isSending = false;
  let problem: string | undefined;
  let sentCount = 0;
  let task: BackgroundTask | undefined;

  function nextDelay(): number | undefined {
    const {db, clock} = serverOf();
    const dueAt = db.value<number | null>('SELECT MIN(due_at) FROM mail_queue');
    return dueAt == null ? undefined : Math.min(Math.max(0, dueAt * 1000 - clock.now()), maxSleepMs);
  }

  async function sendDue(): Promise<void> {
    const {db, clock} = serverOf();
    for (;;) {
      if (isStopped()) return;
      const now = Math.floor(clock.now() / 1000);
      const row = db.get<MailRow>('SELECT * FROM mail_queue WHERE due_at <= ? ORDER BY due_at, id LIMIT 1', now);
      if (row === undefined || !(await sendRow(row))) return;
    }
  }

  /** Returns whether the mail server answered, so that the next mail can be tried. */
  async function sendRow(row: MailRow): Promise<boolean> {
    const server = serverOf();
    const mail = server.runAction((act) => writers[row.kind](act, JSON.parse(row.about)));
    try {
      if (mail !== undefined) await transport.send({...mail, to: row.recipient});
    } catch (error) {
      log(`An e-mail to ${row.recipient} could not be sent`, error);
      if (isStopped()) return false;
      const {code, responseCode}: {code?: unknown; responseCode?: unknown} = Object(error);
      // With EENVELOPE the mail server refuses one address only.
      if (code !== 'EENVELOPE') problem = errorText(error);
      server.runAction((act) =>
        noteFailure(act, row, errorText(error), code === 'EENVELOPE' && Number(responseCode) >= 500),
      );
      return responseCode !== undefined;
    }
    if (mail !== undefined) {
      problem = undefined;
      sentCount += 1;
    }
    if (isStopped()) return false;
    server.runAction(({db}) => db.deleteRows('mail_queue', {id: row.id}));
    return true;
  }

  /** Sends what is due, one after the other. After a failure to reach the mail server, the others wait for a minute. */
  function run(): undefined {
    if (isSending) return;
    isSending = true;
    sendDue()
      .catch((error: unknown) => log('Sending e-mail failed', error))
      .finally(() => {
        isSending = false;
        const delay = isStopped() ? undefined : nextDelay();
        task?.schedule(delay === undefined ? undefined : Math.max(delay, problem === undefined ? 0 : firstWait * 1000));
      });
  }

  async function checkAtStart(): Promise<void> {
    try {
      await transport.verify();
    } catch (error) {
      problem = errorText(error);
      log('The mail server of --smtp cannot be used', error);
    }
  }

  return {
    queue(act, {kind, recipient, about}) {
      act.db.insertRow('mail_queue', {
        kind,
        recipient,
        about: JSON.stringify(about),
        created_at: act.now,
        due_at: act.now,
      });
      act.afterCommit(() => run());
    },
    async test(to) {
      const text = 'This e-mail was sent by “parley serve mail test”: the server can send e-mail.\n';
      await transport.send({to, subject: 'A test of the chat server', text});
      problem = undefined;
    },
    retry() {
      const count = serverOf().runAction(({db, now}) =>
        db.run('UPDATE mail_queue SET due_at = ?, created_at = ?', now, now),
      );
      run();
      return count;
    },
    get problem() {
      return problem;
    },
    get sentCount() {
      return sentCount;
    },
    start() {
      const {clock} = serverOf();
      task = new BackgroundTask({clock, log, name: 'Sending e-mail'}, run);
      void checkAtStart().then(() => {
        if (!isStopped()) task?.schedule(nextDelay());
      });
    },
    stop() {
      task?.stop();
      transport.close().catch((error: unknown) => log('The connection to the mail server was not closed', error));
    },
  };
}

/** Keeps why a mail was not sent, and when it is tried again; or that it is given up, and tells who invited. */
function noteFailure(act: ActionContext, row: MailRow, error: string, isFinal: boolean): void {
  const {db, now} = act;
  const attempts = row.attempts + 1;
  const isGivenUp = isFinal || now - row.created_at >= givenUpAfter;
  const wait = Math.min(firstWait * 2 ** row.attempts, longestWait);
  db.updateRow('mail_queue', row.id, {attempts, error, due_at: isGivenUp ? null : now + wait});
  db.run('DELETE FROM mail_queue WHERE due_at IS NULL AND created_at < ?', now - shownFor);
  if (!isGivenUp || row.kind !== 'invitation') return;
  const {invite_id: id = 0}: QueuedMail['about'] = JSON.parse(row.about);
  const invite = findInvite(db, id, now);
  if (invite === undefined) return;
  const text = `The e-mail with your invitation to ${row.recipient} could not be delivered: ${error}. Check the address, and revoke the invitation or send it again.`;
  sendPersonalNotice(act, invite.invited_by, text);
}
