import {conversationNeeds, type StateContext} from '#cli/account-access/with-state.ts';
import {type CliIo, exitCodes} from '#cli/io.ts';
import {fetchMessages} from '#cli/messages/fetch-messages.ts';
import {conversationJson} from '#cli/messages/message-text.ts';
import {pastMomentOf} from '#cli/name-arguments.ts';
import {rulesFile} from '#cli/rules/rules-file.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {type Decision, decideByRules, resolveRules} from '#state/rules/match-rules.ts';
import type {RuleAction} from '#state/rules/rule.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {composed} from '#std/composed-text.ts';
import {printable, printableLine} from '#std/printable.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {countsText, ruleText} from '#wording/rule-text.ts';
import {stateVerb} from './account-verb.ts';
import {maxCount} from './read.ts';
import type {VerbRunner} from './verb-table.ts';

const needs = {fetch: [...conversationNeeds, 'realm_user_groups'], people: 'all'} as const;

/** Reads the rules for an account, and what is wrong with them. */
async function accountRules({io, account, state}: StateContext) {
  const file = rulesFile(io);
  const loaded = await file.read();
  const names = {name: account.name, known: new NamedAccounts(io.paths).names()};
  const {resolved, problems} = resolveRules(loaded.rules, state, names);
  return {path: file.path, loaded, resolved, problems: [...loaded.problems, ...problems.map(loaded.problemText)]};
}

export const rules: VerbRunner<'rules'> = stateVerb(needs, async (context) => {
  const {path, loaded, resolved, problems} = await accountRules(context);
  const used = new Set(resolved.map(({name}) => name));
  const listed = loaded.rules.map(({name, values}) => ({name, isUsed: used.has(name), values}));
  const width = Math.max(0, ...listed.map(({name}) => textColumns(printableLine(name))));
  const lines = listed.map(({name, isUsed, values}) => {
    const shown = printableLine(name);
    const text = printableLine(ruleText(values));
    return `  ${shown}${' '.repeat(width - textColumns(shown))}  ${text}${isUsed ? '' : ' (not used here)'}`;
  });
  const count = `${path}: ${countedNoun(used.size, 'rule')} in use`;
  const text = [count, ...lines, ...problems.map(printable)].join('\n');
  return {json: {rules: listed, problems}, text, ...(problems.length > 0 && {exitCode: exitCodes.failed})};
});

export const rulesTest: VerbRunner<'rules test'> = stateVerb(
  ({values}, io: CliIo) => ({...needs, since: pastMomentOf(values.since ?? '3d', io.clock.now())}),
  async (context, {since}) => {
    const {state, api} = context;
    const {resolved, problems} = await accountRules(context);
    const range = {kind: 'from', count: maxCount, since} as const;
    const {messages: listed, hasMore} = await fetchMessages(api, state.self.userId, [], range);
    const messages = listed.map(({message}) => message);
    const decided = runToEnd(decideByRules(resolved, messages, state));
    const results = resolved.map(({name}) => ({name, ...ruleResult(messages, decided, name)}));
    const lines = results.flatMap(({name, counts, places}) => [
      composed`${printableLine(name)}: ${counts.size === 0 ? 'nothing' : countsText(counts)}`,
      ...[...places.values()].map(({conversation, count}) => {
        const title = printableLine(conversationTitle(state, conversation));
        return composed`${String(count).padStart(6)}  ${title}`;
      }),
    ]);
    const head = `What ${countedNoun(resolved.length, 'rule')} would have done with ${countedNoun(messages.length, 'message')}`;
    const more = hasMore ? [`Only the first ${maxCount} messages were tried.`] : [];
    return {
      json: {
        messages: messages.length,
        isComplete: !hasMore,
        rules: results.map(({name, counts, places}) => ({
          name,
          actions: Object.fromEntries(counts),
          conversations: [...places.values()].map(({conversation, count}) => ({
            conversation: conversationJson(state, conversation),
            count,
          })),
        })),
        problems,
      },
      text: [`${head}:`, ...lines, ...more, ...problems.map(printable)].join('\n'),
      ...(problems.length > 0 && {exitCode: exitCodes.failed}),
    };
  },
);

function runToEnd<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The actions that are about a conversation, not about each of its messages. */
const conversationActions: ReadonlySet<RuleAction> = new Set<RuleAction>(['muteTopic', 'followTopic', 'snooze']);

/** Counts what a rule would have done, and in which conversations. */
function ruleResult(messages: readonly Message[], decided: ReadonlyMap<number, readonly Decision[]>, name: string) {
  const done = new Map<RuleAction, Set<string>>();
  const places = new Map<string, {conversation: ReturnType<typeof conversationOf>; count: number}>();
  for (const message of messages) {
    const actions = (decided.get(message.id) ?? []).filter(({rule}) => rule.name === name);
    if (actions.length === 0) continue;
    const key = message.conversationKey;
    places.set(key, {conversation: conversationOf(message), count: (places.get(key)?.count ?? 0) + 1});
    for (const {action} of actions) {
      const subject = conversationActions.has(action) ? key : String(message.id);
      done.set(action, (done.get(action) ?? new Set()).add(subject));
    }
  }
  return {counts: new Map([...done].map(([action, subjects]) => [action, subjects.size])), places};
}
