import {createBot} from '#state/actions/bots.ts';
import {canCreateBot} from '#state/selectors/permissions/people-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import type {App} from '#ui/core/app.ts';
import type {Form, FormChoice, FormField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {botTypes} from '#wire/objects/user.ts';
import {openKeyCard} from './bot-actions.ts';
import {nameProblem} from './person-rules.ts';

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
      const {apiKey} = await createBot(from.session.context, bot);
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
  const disabled = refusalReason(canCreateBot(account, minute));
  const types = [
    [botTypes.generic, 'Generic', 'can do what its owner can'],
    [botTypes.incomingWebhook, 'Incoming webhook', 'only sends messages'],
    [botTypes.outgoingWebhook, 'Outgoing webhook', 'calls an address when it is mentioned'],
  ] as const;
  const choices = types.map(([value, label, detail]) => {
    return {value, label, detail, disabled: refusalReason(canCreateBot(account, minute, value))};
  });
  const outgoing: readonly FormField[] = [
    {
      kind: 'text',
      key: 'url',
      label: 'Address',
      isRequired: true,
      placeholder: 'https://…',
      validate: urlProblem,
      disabled,
    },
    {kind: 'choice', key: 'format', label: 'Format', choices: formats, disabled},
  ];
  return [
    {kind: 'text', key: 'fullName', label: 'Name', isRequired: true, validate: nameProblem, disabled},
    {
      kind: 'text',
      key: 'shortName',
      label: 'Username',
      isRequired: true,
      maxLength: 50,
      help: `The address of the bot is ${botEmail(account, shortName === '' ? 'username' : shortName)}.`,
      validate: (name) => (/^[\w.+-]*$/.test(name) ? undefined : 'Only letters, digits and . _ + -'),
      disabled,
    },
    {kind: 'choice', key: 'type', label: 'Type', choices, disabled},
    ...(type === botTypes.outgoingWebhook ? outgoing : []),
  ];
}

function urlProblem(text: string): string | undefined {
  const isAddress = text === '' || (URL.canParse(text) && /^https?:/i.test(text));
  return isAddress ? undefined : 'Write an address that starts with https:// or http://';
}
