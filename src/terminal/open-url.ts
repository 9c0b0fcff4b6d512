import type {CopyOutcome} from './clipboard.ts';
import type {Env} from './env.ts';
import type {TerminalEnvironment} from './environment.ts';
import type {RunProgram} from './run-program.ts';

type OpenOutcome =
  | {readonly kind: 'opened'; readonly by: string}
  /** The browser draws in the terminal: run this while the terminal is handed over. */
  | {readonly kind: 'needs_terminal'; readonly command: string; readonly args: readonly string[]}
  /** There is no browser; the address was copied, or must be shown. */
  | {readonly kind: 'copied'; readonly copy: CopyOutcome}
  | {readonly kind: 'refused'; readonly problem: string};

export interface OpenParts {
  readonly environment: TerminalEnvironment;
  readonly env: Env;
  readonly platform: string;
  readonly launch: RunProgram;
  readonly copy: (text: string) => Promise<CopyOutcome>;
}

type BrowserCommand = readonly [string, ...string[]];

/** Opens an address on the user's machine. Over ssh this is another machine, so only $BROWSER is tried. */
export async function openUrl(text: string, parts: OpenParts): Promise<OpenOutcome> {
  const address = openableAddress(text);
  if (address === undefined) return {kind: 'refused', problem: 'Only web and mail addresses can be opened.'};
  for (const [command, ...args] of commandsFor(address, parts)) {
    if (drawsInTerminal(command)) return {kind: 'needs_terminal', command, args};
    const outcome = await parts.launch(command, args);
    if (outcome.kind === 'ended' && outcome.code === 0) return {kind: 'opened', by: command};
  }
  return {kind: 'copied', copy: await parts.copy(address)};
}

function commandsFor(address: string, {environment, env, platform}: OpenParts): BrowserCommand[] {
  const chosen = browserCommands(env.BROWSER ?? '', address);
  if (environment.overSsh) return chosen;
  if (platform === 'darwin') return [...chosen, ['open', address]];
  if (env.WSL_DISTRO_NAME) return [...chosen, ['wslview', address], ['explorer.exe', address]];
  if (env.TERMUX_VERSION) return [...chosen, ['termux-open-url', address]];
  // Without a display it would start a browser that draws in the terminal.
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  return hasDisplay ? [...chosen, ['xdg-open', address], ['gio', 'open', address]] : chosen;
}

/** Parses $BROWSER: commands separated by colons; `%s` is replaced by the address, which otherwise comes last. */
function browserCommands(browser: string, address: string): BrowserCommand[] {
  return browser.split(':').flatMap((part) => {
    const [command, ...args] = part.trim().split(/\s+/);
    if (command === undefined || command === '') return [];
    const filled = args.map((arg) => arg.replaceAll('%s', () => address));
    return [[command, ...filled, ...(part.includes('%s') ? [] : [address])] as const];
  });
}

function drawsInTerminal(command: string): boolean {
  return /(?:^|\/)(?:lynx|w3m|links2?|elinks|browsh|www-browser|chawan|cha)$/.test(command);
}

const schemes = new Set(['http:', 'https:', 'mailto:']);

/**
 * Returns an address that is safe to pass to other programs: printable ASCII without spaces that starts with
 * its scheme. Returns undefined for addresses other than web and mail.
 */
export function openableAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !schemes.has(url.protocol)) return undefined;
  return /^[\u0021-\u007e]+$/.test(url.href) ? url.href : undefined;
}
