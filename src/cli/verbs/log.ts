import {pastMomentOf, userArgument} from '#cli/name-arguments.ts';
import {cutTableText} from '#cli/table-lines.ts';
import {type AdministrationEntry, administrationText} from '#state/selectors/administration-text.ts';
import {userName} from '#state/selectors/names/names.ts';
import {stateVerb} from './account-verb.ts';
import type {VerbRunner} from './verb-table.ts';

const needs = {fetch: ['realm', 'stream', 'realm_user_groups'], people: 'all'} as const;

/** Lists what was changed in the organization, by whom and to whom, the oldest first. */
export const log: VerbRunner<'log'> = stateVerb(needs, async ({api, state, values, io}) => {
  const since = values.since === undefined ? 0 : pastMomentOf(values.since, io.clock.now()) / 1000;
  const {actor} = values;
  const actorId = actor === undefined || actor === 'operator' ? null : userArgument(state, actor).id;
  const entries: AdministrationEntry[] = [];
  for (let before: number | undefined; ; ) {
    const page = await api.getAdministrationLog(before === undefined ? {} : {before}, {});
    const oldest = page.entries.at(-1);
    entries.push(...page.entries.filter(({time}) => time >= since));
    if (page.found_oldest || oldest === undefined || oldest.time < since) break;
    before = oldest.id;
  }
  const wanted = entries.filter(({user_id: id}) => actor === undefined || id === actorId).reverse();
  const json = wanted.map((entry) => {
    const {time, user_id: id} = entry;
    return {
      ...entry,
      time: new Date(time * 1000).toISOString(),
      actor: id === null ? 'the operator of the server' : userName(state, id),
      text: administrationText(state, entry),
    };
  });
  const rows = json.map(({time, actor: who, text}) => [time, who, text]);
  return {json, text: rows.length === 0 ? 'Nothing was changed.' : cutTableText(io, rows)};
});
