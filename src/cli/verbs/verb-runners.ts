import type {ExitCode} from '#cli/exit-codes.ts';
import type {CliIo} from '#cli/io.ts';
import type {VerbRunner} from './verb-runner.ts';
import type {ScreenVerbName, SelfParsingVerbName, VerbName} from './verb-table.ts';

type TableVerbName = Exclude<VerbName, SelfParsingVerbName>;

/** The functions of the verbs. Each is loaded on demand, because starting is most of the time of a short verb. */
export const verbRunners: {readonly [N in TableVerbName]: () => Promise<VerbRunner<N>>} = {
  keys: async () => (await import('./keys.ts')).keys,
  send: async () => (await import('./send.ts')).send,
  unread: async () => (await import('./unread.ts')).unread,
  inbox: async () => (await import('./inbox.ts')).inbox,
  read: async () => (await import('./read.ts')).read,
  tail: async () => (await import('./tail.ts')).tail,
  search: async () => (await import('./search.ts')).search,
  'mark-read': async () => (await import('./mark-read.ts')).markRead,
  drafts: async () => (await import('./drafts.ts')).drafts,
  outbox: async () => (await import('./outbox.ts')).outbox,
  users: async () => (await import('./users.ts')).users,
  whoami: async () => (await import('./whoami.ts')).whoami,
  upload: async () => (await import('./upload.ts')).upload,
  api: async () => (await import('./api.ts')).api,
  render: async () => (await import('./render.ts')).render,
  help: async () => (await import('./manual.ts')).help,
  man: async () => (await import('./man-page.ts')).man,
  completion: async () => (await import('#cli/completion/completion.ts')).completion,
};

type SelfParsingRunner = (argv: readonly string[], io: CliIo) => Promise<ExitCode>;

/** The functions of verbs that parse their own arguments. */
export const selfParsingRunners: {
  readonly [N in Exclude<SelfParsingVerbName, 'serve' | ScreenVerbName>]: () => Promise<SelfParsingRunner>;
} = {
  accounts: async () => (await import('./accounts.ts')).accounts,
  login: async () => (await import('#cli/login/login.ts')).login,
  doctor: async () => (await import('#cli/doctor/doctor.ts')).doctor,
};
