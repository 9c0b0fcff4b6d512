import type {CliIo, ExitCode} from '#cli/io.ts';
import {ownValue} from '#std/own-value.ts';
import type {ScreenVerbName, SelfParsingVerbName, VerbName, VerbRunner} from './verb-table.ts';

/** The verbs that the program runs by a function of their name. */
type LoadedVerbName = Exclude<VerbName, 'serve' | ScreenVerbName>;
type SelfParsingRunner = (argv: readonly string[], io: CliIo) => Promise<ExitCode>;
type VerbFunction<N extends LoadedVerbName> = N extends SelfParsingVerbName ? SelfParsingRunner : VerbRunner<N>;

/** The name of a verb's function: `channelList` for `channel list`, `markRead` for `mark-read`. */
type FunctionName<N extends string> = N extends `${infer First} ${infer Second}` | `${infer First}-${infer Second}`
  ? `${First}${Capitalize<Second>}`
  : N;

/** The verbs of one first word are in one file, except those of `serve`. */
type FileOf<N extends string> = N extends `serve ${string}` ? N : N extends `${infer First} ${string}` ? First : N;

type VerbFile<F> = {
  readonly [N in LoadedVerbName as FileOf<N> extends F ? FunctionName<N> : never]: VerbFunction<N>;
};

/** The files of the verbs. Each is loaded on demand, because starting is most of the time of a short verb. */
const verbFiles: {readonly [F in FileOf<LoadedVerbName>]: () => Promise<VerbFile<F>>} = {
  keys: () => import('./keys.ts'),
  send: () => import('./send.ts'),
  unread: () => import('./unread.ts'),
  inbox: () => import('./unread.ts'),
  'catch-up': () => import('./catch-up.ts'),
  read: () => import('./read.ts'),
  tail: () => import('./tail.ts'),
  search: () => import('./search.ts'),
  export: () => import('#cli/export/export-messages.ts'),
  'mark-read': () => import('./mark-read.ts'),
  rules: () => import('./rules.ts'),
  drafts: () => import('./drafts.ts'),
  outbox: () => import('./outbox.ts'),
  upload: () => import('./upload.ts'),
  download: () => import('./download.ts'),
  'ssh-keys': () => import('./ssh-keys.ts'),
  api: () => import('./api.ts'),
  react: () => import('./message-changes.ts'),
  edit: () => import('./message-changes.ts'),
  delete: () => import('./message-changes.ts'),
  star: () => import('./message-changes.ts'),
  unstar: () => import('./message-changes.ts'),
  schedule: () => import('./schedule.ts'),
  remind: () => import('./schedule.ts'),
  mute: () => import('./mute.ts'),
  unmute: () => import('./mute.ts'),
  follow: () => import('./mute.ts'),
  unfollow: () => import('./mute.ts'),
  subscribe: () => import('./subscribe.ts'),
  unsubscribe: () => import('./subscribe.ts'),
  channel: () => import('./channel.ts'),
  users: () => import('./user.ts'),
  user: () => import('./user.ts'),
  whoami: () => import('./user.ts'),
  status: () => import('./status.ts'),
  invite: () => import('./invite.ts'),
  group: () => import('./group.ts'),
  linkifier: () => import('./linkifier.ts'),
  log: () => import('./log.ts'),
  ctl: () => import('./ctl.ts'),
  'serve import': () => import('#cli/serve/serve-import.ts'),
  'serve backup': () => import('#cli/serve/serve-backup.ts'),
  'serve restore': () => import('#cli/serve/serve-backup.ts'),
  'serve export': () => import('#cli/serve/serve-export.ts'),
  'serve check': () => import('#cli/serve/serve-check.ts'),
  'serve status': () => import('#cli/serve/serve-status.ts'),
  'serve user': () => import('#cli/serve/operator-verbs.ts'),
  'serve log': () => import('#cli/serve/serve-log.ts'),
  'serve mail': () => import('#cli/serve/serve-mail.ts'),
  'serve org': () => import('#cli/serve/operator-verbs.ts'),
  render: () => import('./render.ts'),
  webhook: () => import('./webhook.ts'),
  help: () => import('./help.ts'),
  licenses: () => import('./help.ts'),
  man: () => import('./man-page.ts'),
  completion: () => import('#cli/completion/completion.ts'),
  accounts: () => import('./accounts.ts'),
  login: () => import('#cli/login/login.ts'),
  doctor: () => import('#cli/doctor/doctor.ts'),
};

export async function loadVerb<N extends LoadedVerbName>(name: N): Promise<VerbFunction<N>> {
  const files: Readonly<Record<string, () => Promise<object>>> = verbFiles;
  const [first = ''] = name.split(' ', 1);
  const file = await (ownValue(files, name) ?? files[first])?.();
  const functionName = name.replace(/[ -](.)/, (_, letter: string) => letter.toUpperCase());
  // The type of the table says that each file has the functions of its verbs.
  return Reflect.get(file ?? {}, functionName);
}
