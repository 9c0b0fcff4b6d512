import type {App} from '#app/core/app.ts';
import {openForm} from '#app/forms/open-form.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import type {RuleValues} from '#state/rules/rule.ts';
import {channelName, conversationTitle, hasNamesake, topicDisplayName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {composed, withoutIsolates} from '#std/composed-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {formField} from '#ui/core/form.ts';
import {ruleToml} from '#wording/rule-text.ts';

type RuleFormValues = {name: string; where: string; sender: string; regex: string; action: string; snooze: string};

const actionChoices = [
  {value: 'mark_read', label: 'mark it read'},
  {value: 'star', label: 'star it'},
  {value: 'mute_topic', label: 'mute the topic'},
  {value: 'follow_topic', label: 'follow the topic'},
  {value: 'snooze', label: 'snooze the conversation'},
  {value: 'notify', label: 'notify me'},
  {value: 'silence', label: 'do not notify me'},
] as const;

/** Returns why no rule can be made of a message. */
export function ruleProblem({info}: AppReader): string | undefined {
  return info.isExploring || info.isReadOnly ? 'This session is read-only: no rule is added' : undefined;
}

/** Opens the form that makes a rule for messages like this one, and adds it to the end of the file. */
export function openRuleForm(app: App, message: Message): void {
  const {rulesFile} = app;
  if (rulesFile === undefined) return;
  const sender = senderText(app.state, message);
  const choice = (value: string, label: string) => ({value, label});
  const places =
    message.kind === 'channel'
      ? [
          choice('topic', conversationTitle(app.state, conversationOf(message))),
          choice('channel', `#${channelName(app.state, message.channelId)}`),
          choice('any', 'anywhere'),
        ]
      : [choice('direct', 'direct messages'), choice('any', 'anywhere')];
  openForm<RuleFormValues>(app, {
    id: `rule ${message.id}`,
    title: 'Always do this for such messages',
    saveLabel: 'Add the rule',
    isNew: true,
    initial: () => ({
      name: withoutIsolates(conversationTitle(app.state, conversationOf(message))),
      where: places[0]?.value ?? 'any',
      sender: message.kind === 'channel' ? '' : sender,
      regex: '',
      action: 'mark_read',
      snooze: '1 hour',
    }),
    fields: (_frame, {action, where, sender: chosen}) => [
      formField('choice', 'where', 'Where', {choices: places}),
      formField('choice', 'sender', 'From', {choices: [choice('', 'anybody'), choice(sender, sender)]}),
      formField('text', 'regex', 'Text', {
        placeholder: 'any text',
        help: 'A regular expression (RE2) that the message contains.',
        validate: (text) =>
          text === '' && where === 'any' && chosen === '' ? 'Choose a place, a sender or a text' : undefined,
      }),
      formField('choice', 'action', 'Then', {
        choices: actionChoices.filter(({value}) => message.kind === 'channel' || !value.endsWith('_topic')),
      }),
      ...(action === 'snooze'
        ? [formField('text', 'snooze', 'Until', {help: 'For example: 2 hours, tomorrow 9:00.'})]
        : []),
      formField('text', 'name', 'Name', {isRequired: true, maxLength: 100}),
    ],
    save: async (from, _changes, values) => {
      const name = values.name.trim();
      const {rules} = await rulesFile.read();
      if (rules.some((rule) => rule.name === name)) throw new Error(composed`Another rule is called “${name}”.`);
      await rulesFile.append(ruleToml(ruleValues(from, message, {...values, name})));
      return composed`Rule “${name}” was added to ${rulesFile.path}`;
    },
  });
}

function ruleValues({info, state}: App, message: Message, values: RuleFormValues): RuleValues {
  const {name, where, sender, regex, action, snooze} = values;
  const isChannel = message.kind === 'channel';
  return {
    name,
    ...(info.accountCount > 1 && {account: [info.accountName]}),
    ...(isChannel && where !== 'any' && {channel: [channelName(state, message.channelId)]}),
    ...(isChannel && where === 'topic' && {topic: [topicDisplayName(state, message.topic)]}),
    ...(where === 'direct' && {direct: true}),
    ...(sender !== '' && {sender: [sender]}),
    ...(regex !== '' && {regex}),
    ...(action === 'snooze' ? {snooze} : action === 'silence' ? {notify: false} : {[action]: true}),
  };
}

/** Returns the name by which a rule finds the sender. */
function senderText({users}: AccountState, {senderId, senderName}: Message): string {
  const user = users.get(senderId);
  if (user === undefined) return senderName;
  return hasNamesake({users}, user) ? `${user.fullName}|${user.id}` : user.fullName;
}
