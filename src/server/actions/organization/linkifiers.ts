import type {LinkifierDefinition} from '#content/linkifier.ts';
import {blankText, type LinkifierProblem, linkifierProblem} from '#content/linkifier-validation.ts';
import type {ActionContext} from '#server/context.ts';
import {type LinkifierRow, linkifierRows} from '#server/db/linkifiers.ts';
import {byCapability} from '#server/event-queues/emitted-event.ts';
import {badRequest} from '#server/http/errors.ts';
import {compiledLinkifiers} from '#server/markdown-renderer.ts';
import {linkifierViews} from '#server/views/linkifier.ts';

export interface LinkifierInput {
  readonly pattern: string;
  readonly url_template: string;
  /** Undefined keeps the current value; empty removes it. */
  readonly example_input: string | undefined;
  readonly reverse_template: string | undefined;
  readonly alternative_url_templates: readonly string[] | undefined;
}

export function addLinkifier(act: ActionContext, input: LinkifierInput): number {
  const definition = checkedDefinition(act, input, undefined);
  const id = act.db.insert(
    `INSERT INTO linkifier (pattern, url_template, example_input, reverse_template, alternative_url_templates, sort_order)
     VALUES (?, ?, ?, ?, ?, (SELECT COALESCE(MAX(sort_order), 0) + 1 FROM linkifier))`,
    ...columns(definition),
  );
  emitLinkifiers(act);
  return id;
}

export function updateLinkifier(act: ActionContext, id: number, input: LinkifierInput): void {
  const definition = checkedDefinition(act, input, requireLinkifier(act, id));
  act.db.run(
    `UPDATE linkifier SET pattern = ?, url_template = ?, example_input = ?, reverse_template = ?,
       alternative_url_templates = ? WHERE id = ?`,
    ...columns(definition),
    id,
  );
  emitLinkifiers(act);
}

export function removeLinkifier(act: ActionContext, id: number): void {
  act.db.run('DELETE FROM linkifier WHERE id = ?', requireLinkifier(act, id).id);
  emitLinkifiers(act);
}

export function reorderLinkifiers(act: ActionContext, ids: readonly number[]): void {
  const all = new Set(act.server.derivedFacts.get(linkifierRows).map(({id}) => id));
  if (ids.length !== all.size || !new Set(ids).isSubsetOf(all) || new Set(ids).size !== ids.length) {
    throw badRequest('The ordered list must enumerate all existing linkifiers exactly once');
  }
  for (const [index, id] of ids.entries()) {
    act.db.run('UPDATE linkifier SET sort_order = ? WHERE id = ?', index, id);
  }
  emitLinkifiers(act);
}

function requireLinkifier(act: ActionContext, id: number): LinkifierRow {
  const row = act.server.derivedFacts.get(linkifierRows).find((linkifier) => linkifier.id === id);
  if (row === undefined) throw badRequest('Linkifier not found.');
  return row;
}

function checkedDefinition(
  act: ActionContext,
  input: LinkifierInput,
  current: LinkifierRow | undefined,
): LinkifierDefinition {
  if ((input.reverse_template ?? '').trim() !== '' && (input.example_input ?? '').trim() === '') {
    throw badRequest('Example text is required when auto-conversion field is set.', {
      required_parameter: 'Example text',
      set_parameter: 'auto-conversion field',
    });
  }
  const definition: LinkifierDefinition = {
    pattern: input.pattern.trim(),
    urlTemplate: input.url_template.trim(),
    exampleInput: optionalText(input.example_input, current?.example_input),
    reverseTemplate: optionalText(input.reverse_template, current?.reverse_template),
    alternativeUrlTemplates: input.alternative_url_templates ?? JSON.parse(current?.alternative_url_templates ?? '[]'),
  };
  const others = act.server.derivedFacts.get(linkifierRows).filter(({id}) => id !== current?.id);
  const problem = linkifierProblem(
    definition,
    others.map((row) => ({pattern: row.pattern, urlTemplate: row.url_template})),
  );
  if (problem !== undefined) throw badRequest(problem.text, {errors: problemsByField(definition, problem)});
  return definition;
}

/** Returns the problem under the name of its field; a blank field may also lack the groups of the other one. */
function problemsByField(definition: LinkifierDefinition, problem: LinkifierProblem): Record<string, string[]> {
  const errors = {[errorKey(problem)]: [problem.text]};
  if (problem.text !== blankText) return errors;
  const filled = {pattern: definition.pattern || 'x', urlTemplate: definition.urlTemplate || 'https://x.example'};
  const other = linkifierProblem({...definition, ...filled}, []);
  return other === undefined ? errors : {...errors, [errorKey(other)]: [other.text]};
}

/** Blank fields are errors of that field; all others are about the linkifier as a whole. */
function errorKey({field, text}: LinkifierProblem): string {
  if (text !== blankText) return '__all__';
  return field === 'pattern' ? 'pattern' : 'url_template';
}

/** Returns the trimmed text or null. Clients that JSON-encode all other types send the text `null` for null. */
function optionalText(input: string | undefined, current: string | null | undefined): string | null {
  if (input === undefined) return current ?? null;
  const text = input.trim();
  return text === '' || text === 'null' ? null : text;
}

function columns(definition: LinkifierDefinition): [string, string, string | null, string | null, string] {
  return [
    definition.pattern,
    definition.urlTemplate,
    definition.exampleInput ?? null,
    definition.reverseTemplate ?? null,
    JSON.stringify(definition.alternativeUrlTemplates ?? []),
  ];
}

/** Emits the linkifiers to clients that support URL templates; others get none. */
function emitLinkifiers(act: ActionContext): void {
  act.server.derivedFacts.invalidate(linkifierRows);
  act.server.derivedFacts.invalidate(compiledLinkifiers);
  const body = {realm_linkifiers: linkifierViews(act.server)};
  act.emit({
    type: 'realm_linkifiers',
    to: 'everyone',
    body: byCapability(
      'linkifier_url_template',
      () => body,
      () => undefined,
    ),
  });
}
