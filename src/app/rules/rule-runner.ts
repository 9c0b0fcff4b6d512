import type {App} from '#app/core/app.ts';
import type {LoadedRules, RulesFile} from '#app/core/host.ts';
import {changeSnoozes, readSnoozes} from '#app/snoozes/snooze-store.ts';
import {topicPolicyAction} from '#app/triage/mute-and-follow.ts';
import type {UndoStep} from '#app/undo/undo-record.ts';
import type {Undoable} from '#app/undo/undo-stack.ts';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import {fetchMessagesByIds} from '#state/fetches/fetch-messages.ts';
import {hasServerState} from '#state/initial-state.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {
  type Decision,
  decideByRules,
  type ResolvedRule,
  resolveRules,
  type UnresolvedRule,
} from '#state/rules/match-rules.ts';
import type {RuleAction} from '#state/rules/rule.ts';
import {beginRules, claimMessages, endRules, unhandled} from '#state/rules/rule-claims.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {batches} from '#std/batches.ts';
import type {Clock} from '#std/clock.ts';
import {composed} from '#std/composed-text.ts';
import {memoByObject} from '#std/memo.ts';
import {parseMoment} from '#std/parse-moment.ts';
import {changeProblem, serverProblem} from '#ui/core/change-problem.ts';
import {type Snooze, withSnoozes} from '#ui/inbox/snooze/snooze.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {countsText} from '#wording/rule-text.ts';

/** What rules say about the notification of a message. */
export type Ruling = 'notify' | 'silence';
export type Rulings = ReadonlyMap<number, Ruling>;

const noRulings: Rulings = new Map();
/** After rules have acted, messages of this time are handled together: a flood takes few requests. */
const batchMs = 1000;
/** Matching pauses after this time, for keys. */
const sliceMs = 10;
/** What a rule does within this time is one entry of the undo history. */
const entryMs = 10 * 60_000;
const maxCaughtUp = 1000;
const idsPerRequest = 200;

interface Job {
  readonly ids: readonly number[];
  /** After catching up, no message up to this one is handled later. */
  readonly upTo?: number;
  readonly resolve: (rulings: Rulings) => void;
}

interface HistoryEntry {
  readonly undoable: Undoable;
  readonly since: number;
  readonly counts: ReadonlyMap<RuleAction, number>;
  readonly places: ReadonlySet<string>;
}

/** Applies the rules of an account to its new messages, each message once. */
export class RuleRunner {
  readonly #app: App;
  readonly #file: RulesFile;
  readonly #entries = new Map<string, HistoryEntry>();
  readonly #resolve = memoByObject((loaded: LoadedRules, ..._inputs: readonly unknown[]) =>
    resolveRules(loaded.rules, this.#app.state, this.#account()),
  );
  readonly #reported = new Set<string>();
  #reportedFor: ReturnType<typeof resolveRules> | undefined;
  #mark: string | undefined;
  #loaded: LoadedRules | undefined;
  #jobs: Job[] = [];
  #isWorking = false;

  constructor(app: App, file: RulesFile) {
    this.#app = app;
    this.#file = file;
  }

  /** Handles new messages. Resolves, when rules have acted on them, with what they say about notifications. */
  handle(ids: readonly number[], upTo?: number): Promise<Rulings> {
    const {promise, resolve} = Promise.withResolvers<Rulings>();
    this.#jobs.push({ids, ...(upTo !== undefined && {upTo}), resolve});
    if (!this.#isWorking) void this.#work();
    return promise;
  }

  /** Handles unread messages up to `newestId`, which arrived while no program of this account ran. */
  catchUp(newestId: number): void {
    const {unreads} = this.#app.state;
    const {keyValues} = this.#app.session.context.store;
    const ids = unhandled(
      keyValues,
      Iterator.from(unreads.byId.entries(0)).map(([id]) => id),
    );
    void this.handle(ids.filter((id) => id <= newestId).slice(-maxCaughtUp), newestId);
  }

  /** Reads the file again if it changed. */
  async reload(): Promise<void> {
    const mark = this.#file.changeMark();
    if (mark === this.#mark && this.#loaded !== undefined) return;
    const isFirst = this.#loaded === undefined;
    this.#loaded = await this.#file.read();
    this.#mark = mark;
    const {rules, problems} = this.#loaded;
    if (rules.length === 0 && this.#mayAct) endRules(this.#app.session.context.store.keyValues);
    this.#reported.clear();
    this.#report(problems);
    this.#reportUnresolved();
    if (!isFirst && this.#reported.size === 0 && this.#app.screen.toast === undefined) {
      this.#app.toast(`${this.#file.path} was read again: ${countedNoun(rules.length, 'rule')}`);
    }
  }

  get #mayAct(): boolean {
    return changeProblem(this.#app) === undefined && !this.#app.info.isExploring;
  }

  #account() {
    const {accounts, info} = this.#app;
    return {name: info.accountName, known: accounts.list().map(({name}) => name)};
  }

  #resolved() {
    const {channels, users, groups} = this.#app.state;
    const loaded = this.#loaded ?? {rules: [], problems: [], problemText: () => ''};
    return this.#resolve(loaded, channels, users, groups, this.#account().known.join('\n'));
  }

  /** Shows names that the organization does not have, when the rules or the organization changed. */
  #reportUnresolved(): void {
    const resolution = this.#resolved();
    if (resolution === this.#reportedFor) return;
    this.#reportedFor = resolution;
    const problems = resolution.problems.filter((problem) => !this.#isAboutOthers(problem));
    this.#report(problems.map((problem) => this.#loaded?.problemText(problem) ?? problem.text));
  }

  /** Whether a rule for all accounts may be about another one, which has the name or is not loaded yet. */
  #isAboutOthers({rule, key}: UnresolvedRule): boolean {
    const {accounts, info} = this.#app;
    if (key === 'account' || rule.values.account !== undefined) return false;
    return accounts.list().some(({name}, index) => {
      if (name === info.accountName) return false;
      const state = accounts.appAt?.(index)?.state;
      if (state === undefined || !hasServerState(state)) return true;
      return resolveRules([rule], state, {name, known: []}).problems.length === 0;
    });
  }

  /** Shows the problems that were not shown since the file was read. */
  #report(problems: readonly string[]): void {
    const [first, ...others] = problems.filter((problem) => !this.#reported.has(problem));
    if (first === undefined) return;
    for (const problem of problems) this.#reported.add(problem);
    const more = others.length === 0 ? undefined : `“parley rules” lists ${others.length} more`;
    this.#app.toast({text: first, hint: more}, 'warning');
  }

  async #work(): Promise<void> {
    const {clock, session} = this.#app;
    this.#isWorking = true;
    while (this.#jobs.length > 0 && !session.context.signal.aborted) {
      const jobs = this.#jobs;
      this.#jobs = [];
      const {rulings, hasActed} = await this.#process(jobs).catch((error: unknown) => {
        session.context.log('Rules could not be applied', error);
        return {rulings: noRulings, hasActed: false};
      });
      for (const {resolve} of jobs) resolve(rulings);
      if (hasActed) await new Promise<void>((resolve) => void clock.after(batchMs, resolve));
    }
    this.#isWorking = false;
  }

  async #process(jobs: readonly Job[]) {
    await this.reload();
    if ((this.#loaded?.rules.length ?? 0) === 0) return {rulings: noRulings, hasActed: false};
    const {session, clock} = this.#app;
    const {keyValues} = session.context.store;
    const ids = [...new Set(jobs.flatMap((job) => job.ids))];
    const upTo = Math.max(0, ...jobs.map((job) => job.upTo ?? 0));
    if (this.#mayAct) beginRules(keyValues, ids.length === 0 ? upTo : Math.min(...ids) - 1);
    const messages = await this.#loadMessages(ids);
    this.#reportUnresolved();
    const decided = await inSlices(decideByRules(this.#resolved().resolved, messages, this.#app.state), clock);
    const claimed = this.#mayAct ? claimMessages(keyValues, ids, upTo) : [];
    const hasActed = this.#act(new Set(claimed), messages, decided);
    return {rulings: rulingsOf(decided), hasActed};
  }

  async #loadMessages(ids: readonly number[]): Promise<readonly Message[]> {
    const {session} = this.#app;
    const missing = () => ids.filter((id) => !this.#app.state.messages.byId.has(id));
    if (missing().length > 0) await session.recentMessages();
    for (const batch of batches(missing(), idsPerRequest)) await fetchMessagesByIds(session.context, batch);
    const {byId} = this.#app.state.messages;
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Carries out what was decided about the claimed messages, rule by rule. Returns whether anything changed. */
  #act(claimed: ReadonlySet<number>, messages: readonly Message[], decided: ReadonlyMap<number, readonly Decision[]>) {
    const byRule = new Map<ResolvedRule, Map<RuleAction, Message[]>>();
    for (const message of messages.filter(({id}) => claimed.has(id))) {
      for (const {rule, action} of decided.get(message.id) ?? []) {
        const actions = byRule.get(rule) ?? new Map<RuleAction, Message[]>();
        byRule.set(rule, actions);
        actions.set(action, [...(actions.get(action) ?? []), message]);
      }
    }
    return [...byRule].map(([rule, actions]) => this.#apply(rule, actions)).includes(true);
  }

  #apply(rule: ResolvedRule, actions: ReadonlyMap<RuleAction, readonly Message[]>): boolean {
    const {state, session} = this.#app;
    const changes = [...actions].flatMap(([action, messages]) => this.#changesOf(action, messages));
    const plans = changes.flatMap((change) => session.pendingChanges.plan(change) ?? []);
    const snoozes = this.#snoozesOf(rule, actions.get('snooze') ?? []);
    if (plans.length + snoozes.length === 0) return false;
    const steps: UndoStep[] = plans.map(({inverse}) => ({kind: 'change', inverse}));
    if (snoozes.length > 0) {
      const keys = snoozes.map(({key}) => key);
      const known = readSnoozes(this.#app);
      steps.unshift({
        kind: 'snooze',
        keys,
        before: keys.flatMap((key) => known.get(key) ?? []),
        since: snoozes[0]?.since,
      });
    }
    const counts = new Map<RuleAction, number>();
    for (const {action} of plans) {
      if (action.kind === 'flags') counts.set(action.flag === 'read' ? 'markRead' : 'star', action.ids.length);
      else if (action.kind === 'topicPolicy') {
        const kind = action.policy === visibilityPolicies.muted ? 'muteTopic' : 'followTopic';
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
    }
    if (snoozes.length > 0) counts.set('snooze', snoozes.length);
    const places = [...actions.values()].flat().map((message) => conversationTitle(state, conversationOf(message)));
    session.pendingChanges.performAll(plans);
    this.#addToHistory(rule.name, steps, counts, new Set(places));
    if (snoozes.length > 0) changeSnoozes(this.#app, (all) => withSnoozes(all, snoozes));
    return true;
  }

  #changesOf(action: RuleAction, messages: readonly Message[]): readonly ReversibleAction[] {
    const ids = messages.map(({id}) => id);
    if (action === 'markRead') return [{kind: 'flags', op: 'add', flag: 'read', ids}];
    if (action === 'star') return [{kind: 'flags', op: 'add', flag: 'starred', ids}];
    if (action !== 'muteTopic' && action !== 'followTopic') return [];
    if (action === 'followTopic' && serverProblem(this.#app, 'followedTopics') !== undefined) return [];
    const policy = action === 'muteTopic' ? visibilityPolicies.muted : visibilityPolicies.followed;
    return distinctConversations(messages).flatMap((conversation) => {
      // What the user chose for the topic stays.
      const isChosen = (this.#app.state.userTopics.get(conversationKey(conversation))?.policy ?? 0) !== 0;
      return conversation.kind === 'topic' && !isChosen
        ? [topicPolicyAction(conversation.channelId, conversation.topic, policy)]
        : [];
    });
  }

  #snoozesOf({values}: ResolvedRule, messages: readonly Message[]): readonly Snooze[] {
    const now = this.#app.clock.now();
    const {zone, locale} = this.#app.display;
    const at = parseMoment(values.snooze ?? '', now, zone, locale);
    const known = messages.length === 0 ? new Map<string, Snooze>() : readSnoozes(this.#app);
    return distinctConversations(messages).flatMap((conversation) => {
      const key = conversationKey(conversation);
      const newestId = this.#app.state.unreads.conversations.get(key)?.ids.last();
      const isSnoozed = (known.get(key)?.until.kind ?? 'back') !== 'back';
      if (at === undefined || newestId === undefined || isSnoozed) return [];
      return [{key, until: {kind: 'time', at} as const, newestId, since: now}];
    });
  }

  #addToHistory(
    name: string,
    added: readonly UndoStep[],
    addedCounts: ReadonlyMap<RuleAction, number>,
    addedPlaces: ReadonlySet<string>,
  ): void {
    const {undoStack, clock} = this.#app;
    const now = clock.now();
    const last = this.#entries.get(name);
    const isOpen = last !== undefined && undoStack.includes(last.undoable) && now - last.since < entryMs;
    const counts = new Map(isOpen ? last.counts : []);
    for (const [action, count] of addedCounts) counts.set(action, (counts.get(action) ?? 0) + count);
    const places = new Set([...(isOpen ? last.places : []), ...addedPlaces]);
    const steps = [...(isOpen ? (last.undoable.record?.steps ?? []) : []), ...added].reduce(withStep, []);
    const [place] = places.size === 1 ? places : [];
    const record = {label: composed`Rule “${name}”: ${countsText(counts)}`, at: now, keys: [], place, steps};
    const undoable = undoStack.pushPassive(record, isOpen ? last.undoable : undefined, true);
    this.#entries.set(name, {undoable, since: isOpen ? last.since : now, counts, places});
  }
}

/** Adds a step; flags of further messages are added to the step with the same flag. */
function withStep(steps: readonly UndoStep[], step: UndoStep): readonly UndoStep[] {
  const added = step.kind === 'change' && step.inverse.kind === 'flags' ? step.inverse : undefined;
  const at = steps.findIndex(
    (one) => one.kind === 'change' && one.inverse.kind === 'flags' && one.inverse.flag === added?.flag,
  );
  const before = steps[at];
  if (added === undefined || before?.kind !== 'change' || before.inverse.kind !== 'flags') return [...steps, step];
  const {inverse} = before;
  const places = [...(inverse.places ?? []), ...(added.places ?? [])];
  return steps.with(at, {kind: 'change', inverse: {...inverse, ids: [...inverse.ids, ...added.ids], places}});
}

function distinctConversations(messages: readonly Message[]): readonly Conversation[] {
  const byKey = new Map(messages.map((message) => [message.conversationKey, conversationOf(message)]));
  return [...byKey.values()];
}

function rulingsOf(decided: ReadonlyMap<number, readonly Decision[]>): Rulings {
  const rulings = new Map<number, Ruling>();
  for (const [id, decisions] of decided) {
    const actions = decisions.map(({action}) => action);
    if (actions.includes('notify')) rulings.set(id, 'notify');
    else if (actions.includes('silence') || actions.includes('markRead')) rulings.set(id, 'silence');
  }
  return rulings;
}

async function inSlices<T>(steps: Generator<undefined, T>, clock: Clock): Promise<T> {
  let pauseAt = clock.monotonic() + sliceMs;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (clock.monotonic() < pauseAt) continue;
    await new Promise<void>((resolve) => void clock.after(0, resolve));
    pauseAt = clock.monotonic() + sliceMs;
  }
}
