import {type AccountFlags, demoName} from '#cli/account-access/open-account.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {type CliIo, print} from '#cli/io.ts';
import {findZuliprcs} from '#config/find-zuliprcs.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {printableLine} from '#std/printable.ts';
import {readKeyPress} from './key-press.ts';

interface WelcomeChoice {
  readonly label: string;
  readonly detail: string;
  /** The account to go on with; undefined when the menu is shown again. */
  readonly take: () => Promise<AccountFlags | ExitCode | undefined>;
}

/** For whoever has no account: the ways to begin, each one key away. A number when they would rather leave. */
export async function showWelcomeMenu(io: CliIo): Promise<AccountFlags | ExitCode> {
  print(io, '\nWelcome to Parley. There is no account here yet.\n');
  for (;;) {
    const ways = waysToBegin(io);
    print(io, menuText(ways));
    const way = await chosen(ways, io);
    const taken = way === undefined ? exitCodes.ok : await way.take();
    if (taken !== undefined) return taken;
    print(io, '');
  }
}

function waysToBegin(io: CliIo): readonly WelcomeChoice[] {
  return [
    ...findZuliprcs(io.home, io.cwd).map(({file, shown, email, site}) => ({
      label: `Use ${shown}`,
      detail: `${email} at ${new URL(site).host}`,
      take: () => loggedIn(['--zuliprc', file], io),
    })),
    {
      label: 'Log in to a server…',
      detail: 'an address, then a password or a key',
      take: () => loggedIn([], io),
    },
    {
      label: 'Try the built-in demo',
      detail: 'no network, five minutes',
      take: async () => ({account: demoName}),
    },
    {label: 'Quit', detail: '', take: async () => exitCodes.ok},
  ];
}

function menuText(ways: readonly WelcomeChoice[]): string {
  const labels = ways.map(({label}) => printableLine(label));
  const width = Math.max(...labels.map(textColumns));
  const lines = ways.map(({detail}, at) => {
    const label = labels[at] ?? '';
    const gap = ' '.repeat(width - textColumns(label) + 3);
    return `  ${at + 1}  ${label}${gap}${printableLine(detail)}`.trimEnd();
  });
  return [...lines, '', 'Press a number.'].join('\n');
}

/** Undefined: they left. */
async function chosen(ways: readonly WelcomeChoice[], io: CliIo): Promise<WelcomeChoice | undefined> {
  for (;;) {
    const key = await readKeyPress(io);
    if (key === undefined || key === 'q' || key === '\u0003' || key === '\u0004') return undefined;
    const way = ways[Number(key) - 1];
    if (way !== undefined) {
      print(io, `\n${way.label}\n`);
      return way;
    }
  }
}

async function loggedIn(argv: readonly string[], io: CliIo): Promise<AccountFlags | undefined> {
  const {login} = await import('#cli/login/login.ts');
  return (await login(argv, io)) === exitCodes.ok ? {} : undefined;
}
