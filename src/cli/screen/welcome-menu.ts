import {type AccountFlags, demoName} from '#cli/account-access/lazy-account.ts';
import {type CliIo, type ExitCode, exitCodes, print} from '#cli/io.ts';
import {findZuliprcs} from '#config/zuliprc.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {printableLine} from '#std/printable.ts';

interface WelcomeChoice {
  readonly label: string;
  readonly detail: string;
  /** Returns the account to use, an exit code, or undefined to show the menu again. */
  readonly run: () => Promise<AccountFlags | ExitCode | undefined>;
}

/** Shows the menu for users without an account: each choice is one key. Returns an exit code when the user quits. */
export async function showWelcomeMenu(io: CliIo): Promise<AccountFlags | ExitCode> {
  print(io, '\nWelcome to Parley. You have no account set up yet.\n');
  for (;;) {
    const choices = welcomeChoices(io);
    print(io, menuText(choices));
    const choice = await readChoice(choices, io);
    const result = choice === undefined ? exitCodes.ok : await choice.run();
    if (result !== undefined) return result;
    print(io, '');
  }
}

function welcomeChoices(io: CliIo): readonly WelcomeChoice[] {
  return [
    ...findZuliprcs(io.home, io.cwd).map(({file, shown, email, site}) => ({
      label: `Use ${shown}`,
      detail: `${email} at ${new URL(site).host}`,
      run: () => logIn(['--zuliprc', file], io),
    })),
    {
      label: 'Log in to a server…',
      detail: 'with a password, an API key or the browser',
      run: () => logIn([], io),
    },
    {
      label: 'Try the built-in demo',
      detail: 'works offline, takes five minutes',
      run: async () => ({account: demoName}),
    },
    {label: 'Quit', detail: '', run: async () => exitCodes.ok},
  ];
}

function menuText(choices: readonly WelcomeChoice[]): string {
  const labels = choices.map(({label}) => printableLine(label));
  const width = Math.max(...labels.map(textColumns));
  const lines = choices.map(({detail}, at) => {
    const label = labels[at] ?? '';
    const gap = ' '.repeat(width - textColumns(label) + 3);
    return `  ${at + 1}  ${label}${gap}${printableLine(detail)}`.trimEnd();
  });
  return [...lines, '', 'Press a number.'].join('\n');
}

/** Reads a key until it is one of the choices. Returns undefined when the user quits. */
async function readChoice(choices: readonly WelcomeChoice[], io: CliIo): Promise<WelcomeChoice | undefined> {
  for (;;) {
    const key = await readKeyPress(io);
    if (key === undefined || key === 'q' || key === '\u0003' || key === '\u0004') return undefined;
    const choice = choices[Number(key) - 1];
    if (choice !== undefined) {
      print(io, `\n${choice.label}\n`);
      return choice;
    }
  }
}

async function logIn(argv: readonly string[], io: CliIo): Promise<AccountFlags | undefined> {
  const {login} = await import('#cli/login/login.ts');
  return (await login(argv, io)) === exitCodes.ok ? {} : undefined;
}

interface RawInput {
  setRawMode(isRaw: boolean): unknown;
}

function isRawInput(stdin: object): stdin is RawInput {
  return 'setRawMode' in stdin && typeof stdin.setRawMode === 'function';
}

/** Reads one character without waiting for Enter; undefined at the end of the input. Further input stays unread. */
function readKeyPress({stdin}: Pick<CliIo, 'stdin'>): Promise<string | undefined> {
  const {promise, resolve} = Promise.withResolvers<string | undefined>();
  const raw = isRawInput(stdin) ? stdin : undefined;
  const done = (key: string | undefined) => {
    stdin.off('data', read);
    stdin.off('end', ended);
    stdin.pause();
    raw?.setRawMode(false);
    resolve(key);
  };
  const ended = () => done(undefined);
  const read = (chunk: unknown) => {
    const text = Buffer.isBuffer(chunk) ? chunk.toString('utf8') : String(chunk);
    const [first = ''] = text;
    const rest = text.slice(first.length);
    done(first);
    if (rest !== '') stdin.unshift(Buffer.from(rest));
  };
  raw?.setRawMode(true);
  stdin.on('data', read);
  stdin.on('end', ended);
  stdin.resume();
  return promise;
}
