import {withApi} from '#cli/account-access/with-api.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson} from '#cli/io.ts';
import {printableLine} from '#std/printable.ts';
import {roleName} from './role-name.ts';
import type {VerbRunner} from './verb-runner.ts';

export const whoami: VerbRunner<'whoami'> = ({values}, io, signal) =>
  withApi(values, io, signal, async ({account, api}) => {
    const own = await api.getOwnUser({});
    const email = own.delivery_email ?? account.email;
    if (values.json) {
      printJson(io, {
        userId: own.user_id,
        fullName: own.full_name,
        email,
        role: roleName(own.role),
        isBot: own.is_bot ?? false,
        site: account.site,
        account: account.name,
      });
    } else print(io, printableLine(`${own.full_name} (${email}), ${roleName(own.role)}, at ${account.site}`));
    return exitCodes.ok;
  });
