import type {ImportContext} from './import-context.ts';

/** The tables of an export that are not imported, with what they hold. Tables of no use after a move are not named. */
const leftOut: Readonly<Record<string, string>> = {
  realmauthenticationmethod: 'ways to log in: people log in with a password or an API key here',
  service: 'addresses of outgoing webhooks, which this server does not call',
  botconfigdata: 'configuration of bots, which this server does not keep',
  realmauditlog: 'entries of the log of changes, which this server does not keep',
  useractivity: 'records of activity, which this server does not keep',
  useractivityinterval: 'records of activity, which this server does not keep',
};

/** Counts what the import leaves out. */
export function leaveOutTables({realm, report}: ImportContext): void {
  for (const [table, what] of Object.entries(leftOut)) report.leaveOut(what, realm.count(`zerver_${table}`));
}
