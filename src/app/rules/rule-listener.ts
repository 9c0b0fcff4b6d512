import type {App} from '#app/core/app.ts';
import {endRules} from '#state/rules/rule-claims.ts';
import type {SessionListener} from '#state/session.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import type {RuleRunner, Rulings} from './rule-runner.ts';

/** How often at most the file is looked at while the user presses keys. */
const lookMs = 2000;

/** Applies rules to new messages. */
export interface RuleListener extends SessionListener {
  /** Resolves with what rules say about notifications of the latest batch of events; undefined when there are no rules. */
  rulings(): Promise<Rulings> | undefined;
}

/**
 * Applies the rules of `rules.toml`, and reads the file again when it changed. Loads nothing while there is no such file.
 * `getApp` is called late, because the session is created before the app.
 */
export function ruleListener(getApp: () => App): RuleListener {
  let runner: RuleRunner | undefined;
  let last: Promise<Rulings> | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isRegistered = false;
  const withRunner = async (): Promise<RuleRunner | undefined> => {
    const {rulesFile} = getApp();
    if (runner !== undefined || rulesFile === undefined) return runner;
    const module = await import('./rule-runner.ts');
    runner ??= new module.RuleRunner(getApp(), rulesFile);
    return runner;
  };
  const hasRules = () => isRegistered && (runner !== undefined || getApp().rulesFile?.changeMark() !== undefined);
  const log = (error: unknown) => getApp().session.context.log('Rules could not be read', error);
  return {
    onRegistered: () => {
      isRegistered = true;
      // Later messages are new, also those that arrive while the runner is being loaded.
      const {maxMessageId} = getApp().state;
      if (hasRules())
        withRunner()
          .then((found) => found?.catchUp(maxMessageId))
          .catch(log);
      else if (changeProblem(getApp()) === undefined) endRules(getApp().session.context.store.keyValues);
    },
    onEvents: (events) => {
      const ids = events.filter((event) => event.type === 'message').map((event) => event.message.id);
      last = undefined;
      if (ids.length === 0 || !hasRules()) return;
      last = withRunner().then((found) => found?.handle(ids) ?? new Map());
      last.catch(log);
    },
    noteActivity: () => {
      const now = getApp().clock.monotonic();
      if (now - lookedAt < lookMs) return;
      lookedAt = now;
      if (!hasRules()) return;
      withRunner()
        .then((found) => found?.reload())
        .catch(log);
    },
    rulings: () => last,
  };
}
