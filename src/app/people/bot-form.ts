import type {App} from '#app/core/app.ts';
import {copyText} from '#app/core/copy-text.ts';
import {choosePicture} from '#app/files/file-picker.ts';
import {RecordKind} from '#app/forms/record-kind.ts';
import {type RecordAction, type RecordRow, recordAction} from '#app/forms/record-list.ts';
import {type CardKey, openCard, pressCardKey} from '#app/overlays/cards.ts';
import {confirm} from '#app/overlays/picker.ts';
import {failureReason, requestFromServer} from '#app/requests/server-request.ts';
import {reactivateUser} from '#state/actions/accounts.ts';
import {
  type BotChange,
  createBot,
  deactivateBot,
  fetchBotKey,
  replaceBotKey,
  setBotPicture,
  updateBot,
} from '#state/actions/bots.ts';
import type {User} from '#state/model/user.ts';
import {distinctUserName, sortedByName, userName} from '#state/selectors/names/names.ts';
import {
  canChangeUser,
  canCreateBot,
  canGiveRole,
  canReactivateUser,
} from '#state/selectors/permissions/people-permissions.ts';
import {isAdministrator, refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {memoBySlices} from '#std/memo.ts';
import {type FormAction, type FormChoice, type FormField, formAction, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {blankLine} from '#ui/layout/ui-line.ts';
import {cardKeyLines, cardTextField, paragraph} from '#ui/overlays/card-lines.ts';
import {nameProblem} from '#ui/people/person-rules.ts';
import {roleChoices} from '#ui/people/user-details.ts';
import {botTypes, roles} from '#wire/objects/user.ts';

/** The values of both forms: a new bot has a username and a type, and a bot an owner, a role and defaults. */
type BotValues = {
  readonly fullName: string;
  readonly shortName: string;
  readonly type: number;
  readonly url: string;
  readonly format: number;
  readonly ownerId: number | null;
  readonly role: number;
  readonly sending: string;
  readonly events: string;
  readonly allPublic: boolean;
};

function changeOf({fullName, ownerId, role, sending, events, allPublic}: Partial<BotValues>): BotChange {
  return {
    ...(fullName !== undefined && {full_name: fullName}),
    ...(typeof ownerId === 'number' && {bot_owner_id: ownerId}),
    ...(role !== undefined && {role}),
    ...(sending !== undefined && {default_sending_stream: sending}),
    ...(events !== undefined && {default_events_register_stream: events}),
    ...(allPublic !== undefined && {default_all_public_streams: allPublic}),
  };
}

function botFields({account}: Frame, bot: User): readonly FormField[] {
  const channels: readonly FormChoice[] = [
    {value: '', label: 'none'},
    ...[...account.subscriptions.values()].flatMap(({channelId, isSubscribed}) => {
      const channel = isSubscribed ? account.channels.get(channelId) : undefined;
      return channel === undefined ? [] : [{value: channel.name, label: composed`#${channel.name}`}];
    }),
  ];
  const choices = roleChoices().map(([value, label]) => {
    return {value, label, disabled: refusalReason(canGiveRole(account, bot, value))};
  });
  return [
    formField('text', 'fullName', 'Name', {isRequired: true, validate: nameProblem}),
    formField('choice', 'ownerId', 'Owner', {choices: ownerChoices(account, bot)}),
    formField('choice', 'role', 'Role', {choices}),
    {kind: 'section', label: 'Defaults, for bots that do not say otherwise'},
    formField('choice', 'sending', 'Sends messages to', {choices: channels}),
    formField('choice', 'events', 'Gets messages of', {choices: channels}),
    formField('switch', 'allPublic', 'Gets messages of all public channels'),
  ];
}

/** Large organizations offer only the present owner and the user. */
const maxOwners = 2000;

function ownerChoices(account: AccountState, {botOwnerId}: User): readonly FormChoice[] {
  const {users, self} = account;
  const people =
    users.size > maxOwners
      ? [botOwnerId ?? self.userId, self.userId]
      : [...users.values()].filter(({isActive, isBot}) => isActive && !isBot).map(({id}) => id);
  const ids = [...new Set([...people, ...(botOwnerId === undefined ? [] : [botOwnerId])])];
  return sortedByName(ids, (id) => userName(account, id)).map((value) => ({value, label: userName(account, value)}));
}

function botFormActions({account}: Frame, bot: User | undefined): readonly FormAction[] {
  if (bot?.isActive !== true) return [];
  const disabled = refusalReason(canChangeUser(account, bot.id));
  return [
    formAction('key', 'Show the API key', {disabled, run: (app) => showBotKey(app, bot.id)}),
    formAction('new-key', 'Make a new API key…', {disabled, run: (app) => confirmNewKey(app, bot.id)}),
    formAction('picture', 'Change the picture…', {
      disabled,
      run: (app) =>
        choosePicture(app, {
          title: composed`Picture of ${bot.fullName}`,
          send: (from, file) => setBotPicture(from.session.context, bot.id, file),
        }),
    }),
  ];
}

/** The formats in which a server calls the address of an outgoing webhook. */
const formats: readonly FormChoice[] = [
  {value: 1, label: 'Zulip'},
  {value: 2, label: 'Slack'},
];

function botEmail({realm, server}: AccountState, shortName: string): string {
  const host = URL.canParse(server.url) ? new URL(server.url).hostname : '';
  return `${shortName}-bot@${realm.botDomain ?? host}`;
}

function newBotFields({account, minute}: Frame, {shortName, type}: BotValues): readonly FormField[] {
  const types = [
    [botTypes.generic, 'Generic', 'can do what its owner can'],
    [botTypes.incomingWebhook, 'Incoming webhook', 'only sends messages'],
    [botTypes.outgoingWebhook, 'Outgoing webhook', 'calls an address when it is mentioned'],
  ] as const;
  const choices = types.map(([value, label, detail]) => {
    return {value, label, detail, disabled: refusalReason(canCreateBot(account, minute, value))};
  });
  const outgoing: readonly FormField[] = [
    formField('text', 'url', 'Address', {
      isRequired: true,
      help: 'The server sends each message that mentions the bot, or is for it alone, to this address.',
      placeholder: 'https://…',
      validate: urlProblem,
    }),
    formField('choice', 'format', 'Format', {choices: formats}),
  ];
  return [
    formField('text', 'fullName', 'Name', {isRequired: true, validate: nameProblem}),
    formField('text', 'shortName', 'Username', {
      isRequired: true,
      maxLength: 50,
      help: `The address of the bot is ${botEmail(account, shortName === '' ? 'username' : shortName)}.`,
      validate: (name) => (/^[\w.+-]*$/.test(name) ? undefined : 'Only letters, digits and . _ + -'),
    }),
    formField('choice', 'type', 'Type', {choices}),
    ...(type === botTypes.outgoingWebhook ? outgoing : []),
  ];
}

function urlProblem(text: string): string | undefined {
  const isAddress = text === '' || (URL.canParse(text) && /^https?:/i.test(text));
  return isAddress ? undefined : 'Write an address that starts with https:// or http://';
}

/** The bots of the organization. Memoized, because an organization may have very many users. */
const allBots = memoBySlices(['users'], ({users}: AccountState): readonly User[] =>
  [...users.values()].filter(({isBot, isSystemBot}) => isBot && !isSystemBot),
);

function botRows({account}: Frame): readonly RecordRow[] {
  const {self} = account;
  const bots = allBots(account);
  const row = ({id, email, isActive, botOwnerId}: User): RecordRow => {
    const owner =
      botOwnerId === undefined || botOwnerId === self.userId ? '' : composed` · of ${userName(account, botOwnerId)}`;
    const state = isActive ? '' : ' · deactivated';
    return {key: String(id), label: distinctUserName(account, id), detail: `${email}${owner}${state}`};
  };
  const sorted = (some: readonly User[]) =>
    [...sortedByName(some, ({fullName}) => fullName)].sort((a, b) => Number(b.isActive) - Number(a.isActive)).map(row);
  const own = sorted(bots.filter(({botOwnerId}) => botOwnerId === self.userId));
  const others = isAdministrator(account) ? sorted(bots.filter(({botOwnerId}) => botOwnerId !== self.userId)) : [];
  return others.length === 0 ? own : [...own, {key: 'others', label: 'Bots of others', isTitle: true}, ...others];
}

type KeyOwner = ReturnType<typeof ownerOf>;

/** Shows an API key. A key copies it: the clipboard may have something else, and other programs read it. */
function openKeyCard(app: App, {name, email}: KeyOwner, apiKey: string): void {
  const {site} = app.session.context.api.connection;
  const zuliprc = `[api]\nemail=${email}\nkey=${apiKey}\nsite=${site}\n`;
  const webhook = `${site}/api/v1/external/slack_incoming?api_key=${apiKey}`;
  const keys: readonly CardKey[] = [
    ['c', 'copy the key', (from) => copyText(from, apiKey, composed`the API key of ${name}`)],
    ['z', 'copy a zuliprc file', (from) => copyText(from, zuliprc, composed`a zuliprc file for ${name}`)],
    ['w', 'copy a webhook URL', (from) => copyText(from, webhook, composed`a webhook URL for ${name}`)],
  ];
  openCard(app, {
    id: 'api-key',
    title: composed`API key of ${name}`,
    columns: 64,
    hint: {Esc: 'closes'},
    lines: (_frame, width) => [
      ...cardTextField('Address', email, width),
      ...cardTextField('Key', apiKey, width),
      ...cardTextField('Server', site, width),
      blankLine,
      ...paragraph('Whoever has the key can act as the bot. Keep it secret.', 'dim', width),
      blankLine,
      ...cardKeyLines(keys, width),
    ],
    onKey: (from, key) => pressCardKey(from, key, keys),
  });
}

function ownerOf({state}: App, botId: number) {
  return {name: distinctUserName(state, botId), email: state.users.get(botId)?.email ?? ''};
}

/** Fetches the key of a bot and shows it. Works in a read-only session, because nothing changes. */
function showBotKey(app: App, botId: number): void {
  fetchBotKey(app.session.context, botId).then(
    (apiKey) => openKeyCard(app, ownerOf(app, botId), apiKey),
    (error: unknown) => app.toast(failureReason(error) ?? '', 'error'),
  );
}

/** Asks, then replaces the key of a bot and shows the new one. */
function confirmNewKey(app: App, botId: number): void {
  const {name} = ownerOf(app, botId);
  confirm(app, {
    title: composed`Make a new API key for ${name}?`,
    yes: 'Make a new key',
    detail: 'the old one stops working at once',
    onYes: (from) =>
      requestFromServer(from, {
        send: () => replaceBotKey(from.session.context, botId),
        doneText: (apiKey) => {
          openKeyCard(from, ownerOf(from, botId), apiKey);
          return composed`Made a new API key for ${name}`;
        },
        failureText: composed`The key of ${name} is as before`,
      }),
  });
}

function botValues(user: User | undefined, {account, minute}: Frame): BotValues {
  const bot = user && account.bots.get(user.id);
  return {
    fullName: user?.fullName ?? '',
    shortName: '',
    type: canCreateBot(account, minute, botTypes.generic).ok ? botTypes.generic : botTypes.incomingWebhook,
    url: '',
    format: 1,
    ownerId: user?.botOwnerId ?? null,
    role: user?.role ?? roles.member,
    sending: bot?.defaultSendingStream ?? '',
    events: bot?.defaultEventsRegisterStream ?? '',
    allPublic: bot?.defaultAllPublicStreams ?? false,
  };
}

function changeReason({account, minute}: Frame, bot: User | undefined): string | undefined {
  if (bot === undefined) return refusalReason(canCreateBot(account, minute));
  return refusalReason(canChangeUser(account, bot.id)) ?? (bot.isActive ? undefined : 'The bot is deactivated.');
}

/** An action on the key of an active bot. */
function keyAction(key: string, hint: string, run: (app: App, botId: number) => void): RecordAction {
  return recordAction(key, hint, {
    appliesTo: (row, {account}) => account.users.get(Number(row.key))?.isActive === true,
    disabledReason: (row, {account}) => refusalReason(canChangeUser(account, Number(row.key))),
    run: (app, row) => run(app, Number(row.key)),
  });
}

/** The user's bots; administrators see the bots of others below them. The key of a new one is shown. */
export const bots = new RecordKind<User, BotValues, number>({
  noun: 'bot',
  list: {
    id: 'bots',
    title: 'Bots',
    columns: 72,
    empty: 'You have no bots',
    addLabel: 'New bot…',
    rows: botRows,
    actions: [
      {...keyAction('Ctrl-K', 'shows the key', showBotKey), isReadOnly: true},
      keyAction('Ctrl-R', 'makes a new key', confirmNewKey),
    ],
  },
  keyOf: Number,
  find: ({account}, id) => account.users.get(id),
  changeReason,
  form: {
    title: (account, {id}) => composed`Bot ${distinctUserName(account, id)}`,
    newTitle: 'New bot',
    createLabel: 'Create the bot',
    values: botValues,
    fields: (frame, values, bot) => (bot === undefined ? newBotFields(frame, values) : botFields(frame, bot)),
    actions: botFormActions,
    errorField: (error, bot) => {
      const text = String(error);
      if (bot === undefined) return /username|e-?mail/i.test(text) ? 'shortName' : undefined;
      return /owner/i.test(text) ? 'ownerId' : /\bname\b/i.test(text) ? 'fullName' : undefined;
    },
  },
  create: async (context, {fullName, shortName, type, url, format}, {app}) => {
    const outgoing = type === botTypes.outgoingWebhook && {payload_url: url, interface_type: format};
    const bot = {full_name: fullName, short_name: shortName, bot_type: type, ...outgoing};
    const apiKey = await createBot(context, bot);
    // After the form has closed, so that the card lies over what was below it.
    app.clock.after(0, () => openKeyCard(app, {name: fullName, email: botEmail(app.state, shortName)}, apiKey));
    return undefined;
  },
  created: ({fullName}) => ({done: composed`Created ${fullName}`}),
  change: {
    update: (context, id, {changes}) => updateBot(context, id, changeOf(changes)),
    texts: ({values: {fullName: name}}) => ({
      done: composed`Changed ${name}`,
      undoing: composed`Restoring ${name}…`,
      undone: composed`Restored ${name}`,
      notUndone: composed`${name} was not restored`,
    }),
  },
  removal: {
    hint: 'deactivates',
    formLabel: () => 'Deactivate the bot…',
    remove: deactivateBot,
    confirm: ({id}, {account}) => {
      const name = distinctUserName(account, id);
      return {
        title: composed`Deactivate ${name}?`,
        yes: composed`Deactivate ${name}`,
        detail: 'it can no longer log in',
      };
    },
    texts: ({id}, account) => {
      const name = distinctUserName(account, id);
      return {
        done: composed`Deactivated ${name}`,
        failed: composed`${name} was not deactivated`,
        undoing: composed`Reactivating ${name}…`,
        undone: composed`Reactivated ${name}`,
        notUndone: composed`${name} was not reactivated`,
      };
    },
    restore: async (context, {id}) => {
      await reactivateUser(context, id);
      return id;
    },
    restoring: {
      key: 'Ctrl-T',
      hint: 'reactivates',
      formLabel: 'Reactivate the bot',
      isRemoved: ({isActive}) => !isActive,
      reason: ({account, minute}, {id}) => refusalReason(canReactivateUser(account, id, minute)),
    },
  },
});
