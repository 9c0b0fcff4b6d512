import type {ExitCode} from '#cli/failures.ts';
import type {CliIo} from '#cli/io.ts';
import type {VerbRunner} from './verb-runner.ts';
import type {ScreenVerbName, SelfParsingVerbName, VerbName} from './verb-table.ts';

type TableVerbName = Exclude<VerbName, SelfParsingVerbName>;

/** The functions of the verbs. Each is loaded on demand, because starting is most of the time of a short verb. */
export const verbRunners: {readonly [N in TableVerbName]: () => Promise<VerbRunner<N>>} = {
  keys: async () => (await import('./keys.ts')).keys,
  send: async () => (await import('./send.ts')).send,
  unread: async () => (await import('./unread.ts')).unread,
  inbox: async () => (await import('./unread.ts')).inbox,
  read: async () => (await import('./read.ts')).read,
  tail: async () => (await import('./tail.ts')).tail,
  search: async () => (await import('./read.ts')).search,
  export: async () => (await import('./export.ts')).exportMessages,
  'mark-read': async () => (await import('./unread.ts')).markRead,
  drafts: async () => (await import('./outbox.ts')).drafts,
  outbox: async () => (await import('./outbox.ts')).outbox,
  users: async () => (await import('./users.ts')).users,
  whoami: async () => (await import('./users.ts')).whoami,
  upload: async () => (await import('./send.ts')).upload,
  api: async () => (await import('./api.ts')).api,
  react: async () => (await import('./message-changes.ts')).react,
  edit: async () => (await import('./message-changes.ts')).edit,
  delete: async () => (await import('./message-changes.ts')).deleteMessages,
  star: async () => (await import('./message-changes.ts')).star,
  unstar: async () => (await import('./message-changes.ts')).unstar,
  schedule: async () => (await import('./message-changes.ts')).schedule,
  'schedule list': async () => (await import('./message-changes.ts')).scheduleList,
  'schedule delete': async () => (await import('./message-changes.ts')).scheduleDelete,
  remind: async () => (await import('./message-changes.ts')).remind,
  'remind list': async () => (await import('./message-changes.ts')).remindList,
  'remind delete': async () => (await import('./message-changes.ts')).remindDelete,
  mute: async () => (await import('./subscriptions.ts')).mute,
  unmute: async () => (await import('./subscriptions.ts')).unmute,
  follow: async () => (await import('./subscriptions.ts')).follow,
  unfollow: async () => (await import('./subscriptions.ts')).unfollow,
  subscribe: async () => (await import('./subscriptions.ts')).subscribe,
  unsubscribe: async () => (await import('./subscriptions.ts')).unsubscribe,
  'channel list': async () => (await import('./channels.ts')).channelList,
  'channel members': async () => (await import('./channels.ts')).channelMembers,
  'channel create': async () => (await import('./channels.ts')).channelCreate,
  'channel edit': async () => (await import('./channels.ts')).channelEdit,
  'channel archive': async () => (await import('./channels.ts')).channelArchive,
  'channel unarchive': async () => (await import('./channels.ts')).channelUnarchive,
  status: async () => (await import('./users.ts')).status,
  'user list': async () => (await import('./users.ts')).users,
  'user show': async () => (await import('./users.ts')).userShow,
  'user update': async () => (await import('./users.ts')).userUpdate,
  'user deactivate': async () => (await import('./users.ts')).userDeactivate,
  'user reactivate': async () => (await import('./users.ts')).userReactivate,
  invite: async () => (await import('./organization.ts')).invite,
  'invite link': async () => (await import('./organization.ts')).inviteLink,
  'invite list': async () => (await import('./organization.ts')).inviteList,
  'invite revoke': async () => (await import('./organization.ts')).inviteRevoke,
  'invite resend': async () => (await import('./organization.ts')).inviteResend,
  'group list': async () => (await import('./groups.ts')).groupList,
  'group show': async () => (await import('./groups.ts')).groupShow,
  'group create': async () => (await import('./groups.ts')).groupCreate,
  'group edit': async () => (await import('./groups.ts')).groupEdit,
  'group add': async () => (await import('./groups.ts')).groupAdd,
  'group remove': async () => (await import('./groups.ts')).groupRemove,
  'group deactivate': async () => (await import('./groups.ts')).groupDeactivate,
  'group reactivate': async () => (await import('./groups.ts')).groupReactivate,
  'linkifier list': async () => (await import('./organization.ts')).linkifierList,
  'linkifier add': async () => (await import('./organization.ts')).linkifierAdd,
  'linkifier edit': async () => (await import('./organization.ts')).linkifierEdit,
  'linkifier remove': async () => (await import('./organization.ts')).linkifierRemove,
  'linkifier reorder': async () => (await import('./organization.ts')).linkifierReorder,
  'serve import': async () => (await import('#cli/serve/data-verbs.ts')).importOrganization,
  'serve backup': async () => (await import('#cli/serve/data-verbs.ts')).backup,
  'serve restore': async () => (await import('#cli/serve/data-verbs.ts')).restore,
  'serve export': async () => (await import('#cli/serve/export.ts')).exportData,
  'serve check': async () => (await import('#cli/serve/data-verbs.ts')).check,
  'serve user': async () => (await import('#cli/serve/operator-verbs.ts')).user,
  'serve org': async () => (await import('#cli/serve/operator-verbs.ts')).org,
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
