import type {LoginServer} from '#app/core/host.ts';
import {connectAnonymously} from '#cli/account-access/connect.ts';
import type {CliIo} from '#cli/io.ts';
import {
  acceptsPasswords,
  browserMethods,
  browserSteps,
  credentialsFrom,
  readAccountFile,
  serverNotices,
  startBrowserLogin,
  zuliprcOf,
} from '#cli/login/credentials.ts';
import {saveAccount, verifyKey} from '#cli/login/login.ts';
import {normaliseSite} from '#config/site.ts';
import type {Zuliprc} from '#config/zuliprc.ts';
import {printableLine} from '#std/printable.ts';
import {endpoints} from '#wire/endpoints.ts';

/** Texts that are a path rather than the address of a server. */
const pathLike = /^(?:[~/]|\.\.?\/)|(?:^|\/)\.?zuliprc[^/]*$/;

/** Starts a login for the screen; see `Accounts.startLogin`. `show` shows the account with this name. */
export async function startLogin(
  addressOrPath: string,
  io: CliIo,
  show: (name: string) => Promise<void>,
): Promise<LoginServer | undefined> {
  const add = async (zuliprc: Zuliprc) => {
    const {organization} = await verifyKey(zuliprc, io);
    const {name} = await saveAccount({zuliprc, organization}, undefined, io, undefined);
    await show(name);
  };
  if (pathLike.test(addressOrPath)) {
    await add(readAccountFile(addressOrPath, io));
    return undefined;
  }
  const tls = {insecure: false};
  const connection = connectAnonymously(normaliseSite(addressOrPath), tls, io);
  const {site} = connection;
  try {
    const server = await connection.call(endpoints.getServerSettings, {});
    const loginServer = {connection, io, server, tls};
    return {
      site,
      name: printableLine(server.realm_name ?? new URL(site).host),
      notices: serverNotices(connection, server),
      acceptsPasswords: acceptsPasswords(server),
      browserLogins: browserMethods(server).map((method) => {
        const {address, finish} = startBrowserLogin(site, server, method);
        return {
          name: printableLine(method.display_name),
          address,
          steps: browserSteps,
          finish: async (pasted) => add(zuliprcOf(loginServer, finish(pasted))),
        };
      }),
      logIn: async (email, secret) => {
        const own = {...loginServer, connection: connectAnonymously(site, tls, io)};
        try {
          await add(zuliprcOf(own, await credentialsFrom(secret, email, own)));
        } finally {
          await own.connection.close();
        }
      },
    };
  } finally {
    await connection.close();
  }
}
