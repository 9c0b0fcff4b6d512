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
  export: async () => (await import('./export.ts')).exportMessages,
  'mark-read': async () => (await import('./mark-read.ts')).markRead,
  drafts: async () => (await import('./drafts.ts')).drafts,
  outbox: async () => (await import('./outbox.ts')).outbox,
  users: async () => (await import('./users.ts')).users,
  whoami: async () => (await import('./whoami.ts')).whoami,
  upload: async () => (await import('./upload.ts')).upload,
  api: async () => (await import('./api.ts')).api,
  react: async () => (await import('./messages/react.ts')).react,
  edit: async () => (await import('./messages/edit.ts')).edit,
  delete: async () => (await import('./messages/delete.ts')).deleteMessages,
  star: async () => (await import('./messages/star.ts')).star,
  unstar: async () => (await import('./messages/star.ts')).unstar,
  schedule: async () => (await import('./schedule/schedule.ts')).schedule,
  'schedule list': async () => (await import('./schedule/schedule.ts')).scheduleList,
  'schedule delete': async () => (await import('./schedule/schedule.ts')).scheduleDelete,
  remind: async () => (await import('./schedule/remind.ts')).remind,
  'remind list': async () => (await import('./schedule/remind.ts')).remindList,
  'remind delete': async () => (await import('./schedule/remind.ts')).remindDelete,
  mute: async () => (await import('./channels/mute.ts')).mute,
  unmute: async () => (await import('./channels/mute.ts')).unmute,
  follow: async () => (await import('./channels/mute.ts')).follow,
  unfollow: async () => (await import('./channels/mute.ts')).unfollow,
  subscribe: async () => (await import('./channels/subscribe.ts')).subscribe,
  unsubscribe: async () => (await import('./channels/subscribe.ts')).unsubscribe,
  'channel list': async () => (await import('./channels/channel-list.ts')).channelList,
  'channel members': async () => (await import('./channels/channel-list.ts')).channelMembers,
  'channel create': async () => (await import('./channels/channel-create.ts')).channelCreate,
  'channel edit': async () => (await import('./channels/channel-edit.ts')).channelEdit,
  'channel archive': async () => (await import('./channels/channel-edit.ts')).channelArchive,
  'channel unarchive': async () => (await import('./channels/channel-edit.ts')).channelUnarchive,
  status: async () => (await import('./people/status.ts')).status,
  'user list': async () => (await import('./users.ts')).users,
  'user show': async () => (await import('./people/user.ts')).userShow,
  'user update': async () => (await import('./people/user.ts')).userUpdate,
  'user deactivate': async () => (await import('./people/user.ts')).userDeactivate,
  'user reactivate': async () => (await import('./people/user.ts')).userReactivate,
  invite: async () => (await import('./people/invite.ts')).invite,
  'invite link': async () => (await import('./people/invite.ts')).inviteLink,
  'invite list': async () => (await import('./people/invite.ts')).inviteList,
  'invite revoke': async () => (await import('./people/invite.ts')).inviteRevoke,
  'invite resend': async () => (await import('./people/invite.ts')).inviteResend,
  'group list': async () => (await import('./people/group.ts')).groupList,
  'group show': async () => (await import('./people/group.ts')).groupShow,
  'group create': async () => (await import('./people/group-change.ts')).groupCreate,
  'group edit': async () => (await import('./people/group-change.ts')).groupEdit,
  'group add': async () => (await import('./people/group-change.ts')).groupAdd,
  'group remove': async () => (await import('./people/group-change.ts')).groupRemove,
  'group deactivate': async () => (await import('./people/group-change.ts')).groupDeactivate,
  'group reactivate': async () => (await import('./people/group-change.ts')).groupReactivate,
  'linkifier list': async () => (await import('./organization/linkifier.ts')).linkifierList,
  'linkifier add': async () => (await import('./organization/linkifier.ts')).linkifierAdd,
  'linkifier edit': async () => (await import('./organization/linkifier.ts')).linkifierEdit,
  'linkifier remove': async () => (await import('./organization/linkifier.ts')).linkifierRemove,
  'linkifier reorder': async () => (await import('./organization/linkifier.ts')).linkifierReorder,
  'serve import': async () => (await import('#cli/serve/import.ts')).importOrganization,
  'serve backup': async () => (await import('#cli/serve/backup.ts')).backup,
  'serve restore': async () => (await import('#cli/serve/backup.ts')).restore,
  'serve export': async () => (await import('#cli/serve/export.ts')).exportData,
  'serve check': async () => (await import('#cli/serve/check.ts')).check,
  'serve user': async () => (await import('#cli/serve/user.ts')).user,
  'serve org': async () => (await import('#cli/serve/org.ts')).org,
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
