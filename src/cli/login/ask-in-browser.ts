import {UsageError} from '#cli/failures.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {ConfigError} from '#config/config-error.ts';
import {isLoginName, type Zuliprc} from '#config/zuliprc.ts';
import {Secret} from '#std/secret.ts';
import {terminalEnvironment} from '#terminal/environment.ts';
import {openUrl} from '#terminal/open-url.ts';
import {launchProgram} from '#terminal/run-program.ts';
import type {LoginContext} from './ask-for-credentials.ts';
import {type BrowserMethod, browserMethods, browserSteps, startBrowserLogin} from './browser-login.ts';
import {isApiKey, parsePastedZuliprc, zuliprcOf} from './credentials.ts';

/** Lists the logins in the browser with the numbers that choose them. */
export function printBrowserMethods({io, server}: LoginContext): void {
  const methods = browserMethods(server);
  if (methods.length === 0) return;
  printNotice(io, 'Type a number to log in with the browser:');
  for (const [at, {display_name}] of methods.entries()) printNotice(io, `  ${at + 1}  ${display_name}`);
}

export function methodByNumber({server}: LoginContext, answer: string): BrowserMethod | undefined {
  return /^\s*\d{1,2}\s*$/.test(answer) ? browserMethods(server)[Number(answer) - 1] : undefined;
}

/** Returns the method that `--sso` names; asks which one if it names none and there are several. */
export async function chosenMethod(context: LoginContext, name: string): Promise<BrowserMethod> {
  const {connection, server, prompt} = context;
  const methods = browserMethods(server);
  const [only, ...others] = methods;
  if (only === undefined) throw new ConfigError(`${connection.site} offers no login with the browser.`);
  if (name === '' && others.length === 0) return only;
  if (name !== '') {
    const wanted = name.toLowerCase();
    const found = methods.find((each) => [each.name, each.display_name].some((text) => text.toLowerCase() === wanted));
    if (found !== undefined) return found;
    const names = methods.map(({display_name}) => display_name).join(', ');
    throw new UsageError(`${connection.site} offers no login with “${name}”, but with: ${names}.`);
  }
  printBrowserMethods(context);
  for (;;) {
    const method = methodByNumber(context, await prompt.ask('Number: '));
    if (method !== undefined) return method;
  }
}

/**
 * Opens the browser and asks for the address that it is sent to. An API key or a zuliprc is accepted too, for browsers that do
 * not show the address.
 */
export async function askInBrowser(context: LoginContext, method: BrowserMethod): Promise<Zuliprc> {
  const {connection, io, prompt, server} = context;
  const login = startBrowserLogin(connection.site, server, method);
  const isOpened = await openBrowser(login.address, io);
  printNotice(
    io,
    isOpened
      ? `Log in with ${method.display_name} in the browser. If it did not open, use this address on any machine:`
      : `Log in with ${method.display_name}: open this address in a browser, on this machine or any other:`,
  );
  printNotice(io, `\n  ${login.address}\n\n${browserSteps}`);
  printNotice(io, `Or paste the API key or zuliprc from ${connection.site}/#settings/account-and-privacy.`);
  for (;;) {
    const answer = await prompt.askHidden('Address (not shown): ');
    if (answer.trim() === '') continue;
    try {
      const pasted = parsePastedZuliprc(answer, io);
      if (pasted !== undefined) return pasted;
      if (!isApiKey(answer)) return zuliprcOf(context, login.finish(answer));
      return zuliprcOf(context, {email: await askForEmail(context), key: new Secret(answer.trim())});
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      printNotice(io, error.message);
    }
  }
}

async function askForEmail({email, prompt}: LoginContext): Promise<string> {
  let answer = email ?? '';
  while (!isLoginName(answer)) answer = (await prompt.ask('E-mail: ')).trim();
  return answer;
}

/** Opens the address, and returns whether a browser was found. One that draws in the terminal would hide the prompt. */
async function openBrowser(address: string, {env, outputIsTty}: CliIo): Promise<boolean> {
  const outcome = await openUrl(address, {
    environment: terminalEnvironment(env, outputIsTty),
    env,
    platform: process.platform,
    launch: launchProgram,
    copy: async () => ({kind: 'shown', why: 'no_way'}),
  });
  return outcome.kind === 'opened';
}
