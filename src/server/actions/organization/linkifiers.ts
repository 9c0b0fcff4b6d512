import type {LinkifierDefinition} from '#content/linkifier.ts';
import {linkifierProblem} from '#content/linkifier-validation.ts';
import type {ActionContext} from '#server/context.ts';
import {type LinkifierRow, linkifierRows} from '#server/db/linkifiers.ts';
import type {UserRow} from '#server/db/rows.ts';
import {byCapability} from '#server/event-queues/emitted-event.ts';
import {badRequest} from '#server/http/errors.ts';
import {compiledLinkifiers} from '#server/markdown-renderer.ts';
import {requireAdmin} from '#server/permissions/user-access.ts';
import {linkifierViews} from '#server/views/linkifier.ts';

export interface LinkifierInput {
  readonly pattern: string;
  readonly url_template: string;
  /** Undefined = as it is; empty = none. */
  readonly example_input: string | undefined;
  readonly reverse_template: string | undefined;
  readonly alternative_url_templates: readonly string[] | undefined;
}

export function addLinkifier(act: ActionContext, actor: UserRow, input: LinkifierInput): number {
  requireAdmin(actor);
  const wanted = checked(act, input, undefined);
  const id = act.db.insert(
    `INSERT INTO linkifier (pattern, url_template, example_input, reverse_template, alternative_url_templates, sort_order)
     VALUES (?, ?, ?, ?, ?, (SELECT COALESCE(MAX(sort_order), 0) + 1 FROM linkifier))`,
    ...columns(wanted),
  );
  announce(act);
  return id;
}

export function updateLinkifier(act: ActionContext, actor: UserRow, id: number, input: LinkifierInput): void {
  requireAdmin(actor);
  const wanted = checked(act, input, known(act, id));
  act.db.run(
    `UPDATE linkifier SET pattern = ?, url_template = ?, example_input = ?, reverse_template = ?,
       alternative_url_templates = ? WHERE id = ?`,
    ...columns(wanted),
    id,
  );
  announce(act);
}

export function removeLinkifier(act: ActionContext, actor: UserRow, id: number): void {
  requireAdmin(actor);
  act.db.run('DELETE FROM linkifier WHERE id = ?', known(act, id).id);
  announce(act);
}

export function reorderLinkifiers(act: ActionContext, actor: UserRow, ids: readonly number[]): void {
  requireAdmin(actor);
  const all = new Set(act.world.derivedFacts.get(linkifierRows).map(({id}) => id));
  if (ids.length !== all.size || !new Set(ids).isSubsetOf(all) || new Set(ids).size !== ids.length) {
    throw badRequest('The ordered list must enumerate all existing linkifiers exactly once');
  }
  for (const [index, id] of ids.entries()) {
    act.db.run('UPDATE linkifier SET sort_order = ? WHERE id = ?', index, id);
  }
  announce(act);
}

function known(act: ActionContext, id: number): LinkifierRow {
  const row = act.world.derivedFacts.get(linkifierRows).find((linkifier) => linkifier.id === id);
  if (row === undefined) throw badRequest('Linkifier not found.');
  return row;
}

function checked(
  act: ActionContext,
  input: LinkifierInput,
  current: LinkifierRow | undefined,
): LinkifierDefinition {
  const wanted: LinkifierDefinition = {
    pattern: input.pattern.trim(),
    urlTemplate: input.url_template.trim(),
    exampleInput: optionalText(input.example_input, current?.example_input),
    reverseTemplate: optionalText(input.reverse_template, current?.reverse_template),
    alternativeUrlTemplates:
      input.alternative_url_templates ?? JSON.parse(current?.alternative_url_templates ?? '[]'),
  };
  const others = act.world.derivedFacts.get(linkifierRows).filter(({id}) => id !== current?.id);
  const problem = linkifierProblem(
    wanted,
    others.map((row) => ({pattern: row.pattern, urlTemplate: row.url_template})),
  );
  if (problem !== undefined) throw badRequest(problem);
  return wanted;
}

/** Clients that JSON-encode whatever is not a string send the word `null` for null. */
function optionalText(given: string | undefined, current: string | null | undefined): string | null {
  if (given === undefined) return current ?? null;
  const text = given.trim();
  return text === '' || text === 'null' ? null : text;
}

function columns(wanted: LinkifierDefinition): [string, string, string | null, string | null, string] {
  return [
    wanted.pattern,
    wanted.urlTemplate,
    wanted.exampleInput ?? null,
    wanted.reverseTemplate ?? null,
    JSON.stringify(wanted.alternativeUrlTemplates ?? []),
  ];
}

/** Clients that do not know URL templates are given no linkifiers at all. */
function announce(act: ActionContext): void {
  act.world.derivedFacts.invalidate(linkifierRows);
  act.world.derivedFacts.invalidate(compiledLinkifiers);
  const body = {realm_linkifiers: linkifierViews(act.world)};
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
