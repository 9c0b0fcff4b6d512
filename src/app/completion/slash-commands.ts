import {fuzzyMatch, matchScores} from '#std/fuzzy.ts';
import {type Completion, type CompletionOption, completionOf} from './completion.ts';

const commands = [
  {name: 'me', detail: 'describe an action: /me is on it'},
  {name: 'poll', detail: 'poll: a question, then one option per line'},
  {name: 'todo', detail: 'to-do list: one task per line'},
] as const;

/** Completes slash commands, at the start of a message only. */
export function slashCompletion(text: string, cursor: number): Completion | undefined {
  const [, query] = /^\/([a-z]*)$/iu.exec(text.slice(0, cursor)) ?? [];
  if (query === undefined || /^\S/u.test(text.slice(cursor))) return undefined;
  const options = commands.flatMap(({name, detail}): CompletionOption[] => {
    const match = fuzzyMatch(query, name);
    if (match === undefined || (query !== '' && match.score < matchScores.prefix)) return [];
    const ranges = match.ranges.map(([start, end]): readonly [number, number] => [start + 1, end + 1]);
    return [{label: `/${name}`, detail, insert: `/${name} `, ranges}];
  });
  return completionOf('command', {start: 0, end: cursor}, options);
}
