import {isApiFailure, LoginFailure} from '#api/failure.ts';
import {shortPrintableLine} from '#api/failure-text.ts';
import {UsageError} from '#cli/failures.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {ConfigError} from '#config/config-error.ts';
import {isLoginName, type Zuliprc} from '#config/zuliprc.ts';
import {Secret} from '#std/secret.ts';
import {terminalEnvironment} from '#terminal/environment.ts';
import {openUrl} from '#terminal/open-url.ts';
import {launchProgram} from '#terminal/run-program.ts';
import {endpoints} from '#wire/endpoints.ts';
import {realmUrl} from '#wire/objects/server-settings.ts';
import {
  acceptsPasswords,
  apiKeyInstructions,
  type BrowserMethod,
  browserMethods,
  browserSteps,
  type Credentials,
  credentialsFrom,
  isApiKey,
  type LoginServer,
  parsePastedZuliprc,
  startBrowserLogin,
  zuliprcOf,
} from './credentials.ts';
import type {Prompt} from './prompt.ts';

interface LoginContext extends LoginServer {
  readonly prompt: Prompt;
  readonly email: string | undefined;
}

const maxAttempts = 3;

/**
 * Prompts for credentials: the number of a login in the browser, e-mail and password, an API key, or a whole zuliprc, in
 * whatever order they are pasted.
 */
export async function askForCredentials(context: LoginContext): Promise<Zuliprc> {
  const {connection, io, prompt, server} = context;
  if (!acceptsPasswords(server)) printNotice(io, apiKeyInstructions(connection.site));
  const picked = context.email === undefined ? await pickDeveloper(context) : undefined;
  if (picked !== undefined && typeof picked !== 'string') return zuliprcOf(context, picked);
  printBrowserMethods(context);
  let email = context.email ?? picked;
  let key: string | undefined;
  while (email === undefined) {
    const answer = await prompt.ask('E-mail (or paste a zuliprc): ');
    const method = methodByNumber(context, answer);
    if (method !== undefined) return askInBrowser(context, method);
    const pasted = parseOrPrintError(io, () => parsePastedZuliprc(answer, io));
    if (pasted !== undefined) return pasted;
    if (isApiKey(answer)) key = answer.trim();
    else if (isLoginName(answer.trim())) email = answer.trim();
    else printNotice(io, 'That is not an e-mail address.');
  }
  if (key !== undefined) return zuliprcOf(context, {email, key: new Secret(key)});
  return askForSecret(context, email);
}

async function askForSecret(context: LoginContext, email: string): Promise<Zuliprc> {
  const {io, prompt, server} = context;
  const question = acceptsPasswords(server) ? 'Password or API key (not shown): ' : 'API key (not shown): ';
  for (let attempt = 1; ; attempt++) {
    const answer = await prompt.askHidden(question);
    const method = methodByNumber(context, answer);
    if (method !== undefined) return askInBrowser(context, method);
    const pasted = parseOrPrintError(io, () => parsePastedZuliprc(answer, io));
    if (pasted !== undefined) return pasted;
    if (answer.trim() === '') continue;
    try {
      return zuliprcOf(context, await credentialsFrom(answer, email, context));
    } catch (error) {
      if (!(error instanceof LoginFailure) || error.code !== 'AUTHENTICATION_FAILED' || attempt >= maxAttempts)
        throw error;
      printNotice(io, error.message);
    }
  }
}

/** Prints the error of an invalid paste, so that the user can try again. */
export function parseOrPrintError<T>(io: CliIo, body: () => T): T | undefined {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    printNotice(io, error.message);
    return undefined;
  }
}

const maxListed = 20;

/**
 * Lets the user pick an account on a development server. Returns credentials, an e-mail address that was
 * typed instead, or undefined on other servers.
 */
async function pickDeveloper(context: LoginContext): Promise<Credentials | string | undefined> {
  const {connection, io, prompt} = context;
  const emails = await developerEmails(context);
  if (emails.length === 0) return undefined;
  const listed = emails.slice(0, maxListed);
  printNotice(io, 'Demo server: pick a user');
  for (const [index, email] of listed.entries())
    printNotice(io, `  ${String(index + 1).padStart(2)}  ${shortPrintableLine(email)}`);
  if (emails.length > listed.length) printNotice(io, `  and ${emails.length - listed.length} more, by e-mail`);
  for (;;) {
    const answer = (await prompt.ask('Number or e-mail: ')).trim();
    const username = /^\d+$/.test(answer) ? listed[Number(answer) - 1] : answer;
    if (username === undefined || !isLoginName(username)) continue;
    if (!emails.includes(username)) return username;
    const {email, api_key} = await connection.call(endpoints.devFetchApiKey, {username});
    return {email, key: new Secret(api_key)};
  }
}

/**
 * Returns the users of a development server who are in this organization. An API failure means that the server is not a
 * development server. A server with several organizations lists the users of all, also where such a login is off.
 */
async function developerEmails({connection, server}: LoginContext): Promise<string[]> {
  if (server.authentication_methods?.dev === false) return [];
  const organization = realmUrl(server);
  try {
    const {direct_admins, direct_users} = await connection.call(endpoints.devListUsers, {});
    return [...direct_admins, ...direct_users]
      .filter((user) => (realmUrl(user) ?? organization) === organization)
      .map(({email}) => email);
  } catch (error) {
    if (isApiFailure(error)) return [];
    throw error;
  }
}

/** Lists the logins in the browser with the numbers that choose them. */
function printBrowserMethods({io, server}: LoginContext): void {
  const methods = browserMethods(server);
  if (methods.length === 0) return;
  printNotice(io, 'Type a number to log in with the browser:');
  for (const [at, {display_name}] of methods.entries()) printNotice(io, `  ${at + 1}  ${display_name}`);
}

function methodByNumber({server}: LoginContext, answer: string): BrowserMethod | undefined {
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
