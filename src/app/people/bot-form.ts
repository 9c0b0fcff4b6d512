import type {App} from '#app/core/app.ts';
import {copyText} from '#app/core/copy-text.ts';
import {choosePicture} from '#app/files/file-picker.ts';
import {openForm, valuesBefore} from '#app/forms/open-form.ts';
import {openRecordList, type RecordAction, type RecordRow, recordAction, viewAction} from '#app/forms/record-list.ts';
import {type CardKey, openCard, pressCardKey} from '#app/overlays/cards.ts';
import {confirm} from '#app/overlays/picker.ts';
import {failureReason, requestFromServer, undoOffer} from '#app/requests/server-request.ts';
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
import {memoBySlices} from '#std/memo.ts';
import {type Form, type FormAction, type FormChoice, type FormField, formAction, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {blankLine} from '#ui/layout/ui-line.ts';
import {cardKeyLines, cardTextField, paragraph} from '#ui/overlays/card-lines.ts';
import {nameProblem} from '#ui/people/person-rules.ts';
import {roleChoices} from '#ui/people/user-details.ts';
import {botTypes, roles} from '#wire/objects/user.ts';
import {deactivatedToast, reactivate} from './person-form.ts';

type BotValues = {
  readonly fullName: string;
  readonly ownerId: number | null;
  readonly role: number;
  readonly sending: string;
  readonly events: string;
  readonly allPublic: boolean;
};

/** Opens the form for a bot. */
export function openBotForm(app: App, botId: number): void {
  openForm<BotValues>(app, {
    id: `bot ${botId}`,
    title: `Bot ${distinctUserName(app.state, botId)}`,
    disabledReason: ({account}) => {
      const isActive = account.users.get(botId)?.isActive === true;
      return refusalReason(canChangeUser(account, botId)) ?? (isActive ? undefined : 'The bot is deactivated.');
    },
    initial: ({account}) => {
      const user = account.users.get(botId);
      const bot = account.bots.get(botId);
      return {
        fullName: user?.fullName ?? '',
        ownerId: user?.botOwnerId ?? null,
        role: user?.role ?? roles.member,
        sending: bot?.defaultSendingStream ?? '',
        events: bot?.defaultEventsRegisterStream ?? '',
        allPublic: bot?.defaultAllPublicStreams ?? false,
      };
    },
    fields: (frame) => {
      const user = frame.account.users.get(botId);
      return user === undefined ? [] : botFields(frame, user);
    },
    errorField: (error) =>
      /owner/i.test(String(error)) ? 'ownerId' : /\bname\b/i.test(String(error)) ? 'fullName' : undefined,
    save: async (from, changes, {fullName: name}, before) => {
      const {context} = from.session;
      await updateBot(context, botId, changeOf(changes));
      return undoOffer(from, {
        label: `Changed ${name}`,
        undo: () => updateBot(context, botId, changeOf(valuesBefore(changes, before))),
        undoingText: `Restoring ${name}…`,
        undoneText: `Restored ${name}`,
        failureText: `${name} was not restored`,
      });
    },
    actions: (frame) => {
      const user = frame.account.users.get(botId);
      return user === undefined ? [] : botFormActions(frame, user);
    },
  });
}

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
      return channel === undefined ? [] : [{value: channel.name, label: `#${channel.name}`}];
    }),
  ];
  const choices = roleChoices().map(([value, label]) => {
    return {value, label, disabled: refusalReason(canGiveRole(account, bot, value))};
  });
  return [
    formField('text', 'fullName', 'Name', {isRequired: true, validate: nameProblem}),
    formField('choice', 'ownerId', 'Owner', {choices: ownerChoices(account, bot)}),
    formField('choice', 'role', 'Role', {choices}),
    {kind: 'section', label: 'Defaults of old bots'},
    formField('choice', 'sending', 'Sends to', {choices: channels}),
    formField('choice', 'events', 'Hears', {choices: channels}),
    formField('switch', 'allPublic', 'Hears all public channels'),
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

function botFormActions({account, minute}: Frame, bot: User): readonly FormAction[] {
  const disabled = refusalReason(canChangeUser(account, bot.id));
  if (!bot.isActive) {
    return [
      formAction('reactivate', 'Reactivate the bot…', {
        disabled: refusalReason(canReactivateUser(account, bot.id, minute)),
        confirm: {title: `Reactivate ${bot.fullName}?`, yes: `Reactivate ${bot.fullName}`},
        run: (app) => reactivate(app, bot.id),
      }),
    ];
  }
  return [
    formAction('key', 'Copy the API key', {disabled, run: (app) => copyBotKey(app, bot.id)}),
    formAction('new-key', 'Make a new API key…', {disabled, run: (app) => confirmNewKey(app, bot.id)}),
    formAction('picture', 'Change the picture…', {
      disabled,
      run: (app) =>
        choosePicture(app, {
          title: `Picture of ${bot.fullName}`,
          send: (from, file) => setBotPicture(from.session.context, bot.id, file),
        }),
    }),
    formAction('deactivate', 'Deactivate the bot…', {disabled, run: (app) => confirmBotDeactivation(app, bot.id)}),
  ];
}

type NewBotValues = {
  readonly fullName: string;
  readonly shortName: string;
  readonly type: number;
  readonly url: string;
  readonly format: number;
};

/** The formats in which a server calls the address of an outgoing webhook. */
const formats: readonly FormChoice[] = [
  {value: 1, label: 'Zulip'},
  {value: 2, label: 'Slack'},
];

/** Opens the form for a new bot. Its key is shown afterwards. */
export function openNewBotForm(app: App): void {
  const form: Form<NewBotValues> = {
    id: 'new bot',
    title: 'New bot',
    isNew: true,
    saveLabel: 'Create the bot',
    disabledReason: ({account, minute}) => refusalReason(canCreateBot(account, minute)),
    initial: ({account, minute}) => ({
      fullName: '',
      shortName: '',
      type: canCreateBot(account, minute, botTypes.generic).ok ? botTypes.generic : botTypes.incomingWebhook,
      url: '',
      format: 1,
    }),
    fields: newBotFields,
    errorField: (error) => (/username|e-?mail/i.test(String(error)) ? 'shortName' : undefined),
    save: async (from, _changes, {fullName, shortName, type, url, format}) => {
      const outgoing = type === botTypes.outgoingWebhook && {payload_url: url, interface_type: format};
      const bot = {full_name: fullName, short_name: shortName, bot_type: type, ...outgoing};
      const apiKey = await createBot(from.session.context, bot);
      // After the form has closed, so that the card lies over what was below it.
      from.clock.after(0, () => openKeyCard(from, {name: fullName, email: botEmail(from.state, shortName)}, apiKey));
      return `Created ${fullName}`;
    },
  };
  openForm(app, form);
}

function botEmail({realm, server}: AccountState, shortName: string): string {
  const host = URL.canParse(server.url) ? new URL(server.url).hostname : '';
  return `${shortName}-bot@${realm.botDomain ?? host}`;
}

function newBotFields({account, minute}: Frame, {shortName, type}: NewBotValues): readonly FormField[] {
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

/** Opens the list of the user's bots; administrators see the bots of others below them. */
export function openBotList(app: App): void {
  openRecordList(app, {
    id: 'bots',
    title: 'Bots',
    columns: 72,
    empty: 'You have no bots',
    rows: botRows,
    add: {
      label: 'New bot…',
      disabledReason: ({account, minute}) => refusalReason(canCreateBot(account, minute)),
      run: (from) => openNewBotForm(from),
    },
    actions,
  });
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
      botOwnerId === undefined || botOwnerId === self.userId ? '' : ` · of ${userName(account, botOwnerId)}`;
    const state = isActive ? '' : ' · deactivated';
    return {key: String(id), label: distinctUserName(account, id), detail: `${email}${owner}${state}`};
  };
  const sorted = (some: readonly User[]) =>
    [...sortedByName(some, ({fullName}) => fullName)].sort((a, b) => Number(b.isActive) - Number(a.isActive)).map(row);
  const own = sorted(bots.filter(({botOwnerId}) => botOwnerId === self.userId));
  const others = isAdministrator(account) ? sorted(bots.filter(({botOwnerId}) => botOwnerId !== self.userId)) : [];
  return others.length === 0 ? own : [...own, {key: 'others', label: 'Bots of others', isTitle: true}, ...others];
}

function isActive({key}: RecordRow, {account}: Frame): boolean {
  return account.users.get(Number(key))?.isActive === true;
}

function changeReason({key}: RecordRow, {account}: Frame): string | undefined {
  return refusalReason(canChangeUser(account, Number(key)));
}

const actions: readonly RecordAction[] = [
  viewAction('Enter', 'edit', (app, {key}) => openBotForm(app, Number(key))),
  recordAction('Ctrl-K', 'key', {
    isReadOnly: true,
    appliesTo: isActive,
    disabledReason: changeReason,
    run: (app, {key}) => copyBotKey(app, Number(key)),
  }),
  recordAction('Ctrl-R', 'new key', {
    appliesTo: isActive,
    disabledReason: changeReason,
    run: (app, {key}) => confirmNewKey(app, Number(key)),
  }),
  recordAction('Delete', 'deactivate', {
    appliesTo: isActive,
    disabledReason: changeReason,
    run: (app, {key}) => confirmBotDeactivation(app, Number(key)),
  }),
  recordAction('Ctrl-T', 'reactivate', {
    appliesTo: (row, frame) => !isActive(row, frame),
    disabledReason: ({key}, {account, minute}) => refusalReason(canReactivateUser(account, Number(key), minute)),
    run: (app, {key}) => reactivate(app, Number(key)),
  }),
];

type KeyOwner = ReturnType<typeof ownerOf>;

/** Shows an API key, and copies it. */
function openKeyCard(app: App, {name, email}: KeyOwner, apiKey: string): void {
  const {site} = app.session.context.api.connection;
  const zuliprc = `[api]\nemail=${email}\nkey=${apiKey}\nsite=${site}\n`;
  const webhook = `${site}/api/v1/external/slack_incoming?api_key=${apiKey}`;
  const copyKey = (from: App) => copyText(from, apiKey, `the API key of ${name}`);
  const keys: readonly CardKey[] = [
    ['c', 'copy the key', copyKey],
    ['z', 'copy a zuliprc file', (from) => copyText(from, zuliprc, `a zuliprc file for ${name}`)],
    ['w', 'copy a webhook URL', (from) => copyText(from, webhook, `a webhook URL for ${name}`)],
  ];
  openCard(app, {
    id: 'api-key',
    title: `API key of ${name}`,
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
  copyKey(app);
}

function ownerOf({state}: App, botId: number) {
  return {name: distinctUserName(state, botId), email: state.users.get(botId)?.email ?? ''};
}

/** Fetches the key of a bot and shows it. Works in a read-only session, because nothing changes. */
function copyBotKey(app: App, botId: number): void {
  fetchBotKey(app.session.context, botId).then(
    (apiKey) => openKeyCard(app, ownerOf(app, botId), apiKey),
    (error: unknown) => app.toast(failureReason(error) ?? '', 'error'),
  );
}

/** Asks, then replaces the key of a bot and shows the new one. */
function confirmNewKey(app: App, botId: number): void {
  const {name} = ownerOf(app, botId);
  confirm(app, {
    title: `Make a new API key for ${name}?`,
    yes: 'Make a new key',
    detail: 'the old one stops working at once',
    onYes: (from) =>
      requestFromServer(from, {
        send: () => replaceBotKey(from.session.context, botId),
        doneText: (apiKey) => {
          openKeyCard(from, ownerOf(from, botId), apiKey);
          return `Made a new API key for ${name}`;
        },
        failureText: `The key of ${name} is as before`,
      }),
  });
}

/** Asks, then deactivates a bot. */
function confirmBotDeactivation(app: App, botId: number): void {
  const {name} = ownerOf(app, botId);
  confirm(app, {
    title: `Deactivate ${name}?`,
    yes: `Deactivate ${name}`,
    detail: 'it can no longer log in',
    onYes: (from) =>
      requestFromServer(from, {
        send: () => deactivateBot(from.session.context, botId),
        doneText: () => deactivatedToast(from, botId),
        failureText: `${name} was not deactivated`,
      }),
  });
}
