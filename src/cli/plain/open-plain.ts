import {onlyAccount} from '#app/accounts.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {reported} from '#cli/failures.ts';
import {type CliIo, note, print} from '#cli/io.ts';
import type {AccountFlags} from '#cli/reach/open-account.ts';
import {AccountApp} from '#cli/screen/account-app.ts';
import {LogFile} from '#cli/screen/log-file.ts';
import {ownKeys} from '#cli/screen/own-keys.ts';
import {KeyRouter} from '#commands/router.ts';
import {commandTable} from '#commands/table.ts';
import {pathsOf} from '#config/paths.ts';
import {readSettings} from '#config/settings.ts';
import type {Session} from '#state/session.ts';
import {LineSource} from './line-source.ts';
import {PlainClient} from './plain-client.ts';
import {PlainPlace} from './plain-place.ts';

export interface PlainOptions extends AccountFlags {
  readonly place: string | undefined;
  readonly isTriage: boolean;
  readonly isExploring: boolean;
  readonly isReadOnly: boolean;
}

/** How long the first answer of the server is waited for, and how long the last deeds are. */
const firstMs = 15_000;
const lastMs = 5000;

/** The whole client in lines: nothing is drawn, nothing is drawn over, and every question is answered by a line. */
export async function openPlain(options: PlainOptions, io: CliIo): Promise<ExitCode> {
  try {
    return await opened(options, io);
  } catch (error) {
    return reported(io, error);
  }
}

async function opened(options: PlainOptions, io: CliIo): Promise<ExitCode> {
  const paths = pathsOf(io.env, io.home);
  const log = new LogFile(paths, io.clock);
  const {settings, warnings} = readSettings(paths.config, io.env);
  const {keymap, problems} = ownKeys(paths, io.home);
  for (const line of [...problems, ...warnings]) note(io, line);
  const router = new KeyRouter(keymap, commandTable);
  const {isExploring, isReadOnly, isTriage, place} = options;
  const lines = new LineSource(io.stdin);
  const stage = new PlainPlace(io, router, () => client?.leave());
  const parts = {
    io,
    stage,
    // Nothing is on a screen here, so nothing is read by being there.
    settings: {...settings, enterSends: 'yes' as const, markRead: 'on-done' as const},
    log,
    isExploring,
    isReadOnly,
    accounts: onlyAccount,
    accountCount: 1,
  };
  const wish = isTriage || place === undefined ? ({kind: 'inbox'} as const) : place;
  const account = await AccountApp.open(options, parts, wish);
  const {app} = account;
  let client: PlainClient | undefined;
  try {
    account.start();
    await firstAnswer(app.session, io);
    const talk = {
      print: (text: string) => print(io, text),
      ask: (question: string) => {
        if (io.inputIsTty) io.stdout.write(question);
        return lines.next();
      },
    };
    client = new PlainClient(app, router, talk);
    await client.run(isTriage);
    await settled(app.session, io);
  } finally {
    lines.close();
    await account.stop();
  }
  return exitCodes.ok;
}

/** Without a server there is still what this machine remembers. */
async function firstAnswer(session: Session, io: CliIo): Promise<void> {
  const {promise, resolve} = Promise.withResolvers<void>();
  const cancel = io.clock.after(firstMs, resolve);
  const leave = session.cache.subscribe(['connection'], () => {
    const {connection} = session.cache.state;
    if ('problem' in connection) {
      note(io, connection.problem);
      resolve();
    }
  });
  session.ready().then(resolve, resolve);
  await promise;
  cancel();
  leave();
}

/** What was asked for is with the server when the program ends, if the server is there; else it is on disk. */
async function settled(session: Session, io: CliIo): Promise<void> {
  const deadline = io.clock.now() + lastMs;
  const isWaiting = () => {
    const {outbox, connection} = session.cache.state;
    const {store} = session.context;
    if (connection.phase !== 'online' || io.clock.now() > deadline) return false;
    return (
      store.deeds.all().length > 0 || outbox.some(({status}) => status === 'queued' || status === 'sending')
    );
  };
  while (isWaiting()) await new Promise<void>((resolve) => io.clock.after(50, resolve));
}
