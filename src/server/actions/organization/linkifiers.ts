import type {LinkifierDefinition} from '#content/linkifier.ts';
import {blankText, type LinkifierProblem, linkifierProblem} from '#content/linkifier-validation.ts';
import type {ActionContext} from '#server/context.ts';
import {type LinkifierRow, linkifierRows, nextPosition, storeOrder} from '#server/db/organization-items.ts';
import {badRequest, check, required} from '#server/errors.ts';
import {compiledLinkifiers} from '#server/markdown-renderer.ts';
import {type Route, route} from '#server/route.ts';
import {linkifierViews} from '#server/views/organization-items.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';

export const linkifierRoutes: readonly Route[] = [
  route(endpoints.getLinkifiers, 'account', ({server}) => ({linkifiers: linkifierViews(server)})),
  route(endpoints.addLinkifier, 'admin', (call, params) => ({id: addLinkifier(call, params)})),
  route(endpoints.updateLinkifier, 'admin', (call, {filter_id: id, ...input}) => {
    const definition = checkedDefinition(call, input, requireLinkifier(call, id));
    call.db.updateRow('linkifier', id, linkifierColumns(definition));
    emitLinkifiers(call);
  }),
  route(endpoints.removeLinkifier, 'admin', (call, {filter_id: id}) => {
    call.db.deleteRows('linkifier', {id: requireLinkifier(call, id).id});
    emitLinkifiers(call);
  }),
  route(endpoints.reorderLinkifiers, 'admin', (call, {ordered_linkifier_ids: ids}) => {
    const all = new Set(call.server.derivedFacts.get(linkifierRows).map(({id}) => id));
    check(
      ids.length === all.size && new Set(ids).isSubsetOf(all) && new Set(ids).size === ids.length,
      'The ordered list must enumerate all existing linkifiers exactly once',
    );
    storeOrder(call.db, 'linkifier', ids);
    emitLinkifiers(call);
  }),
];

/** Of the optional fields, undefined keeps the current value, and empty removes it. */
type LinkifierInput = ParamsOf<typeof endpoints.addLinkifier>;

export function addLinkifier(act: ActionContext, input: LinkifierInput): number {
  const definition = checkedDefinition(act, input, undefined);
  const id = act.db.insertRow('linkifier', {
    ...linkifierColumns(definition),
    sort_order: nextPosition(act.db, 'linkifier'),
  });
  emitLinkifiers(act);
  return id;
}

function requireLinkifier(act: ActionContext, id: number): LinkifierRow {
  const row = required(
    act.server.derivedFacts.get(linkifierRows).find((linkifier) => linkifier.id === id),
    'Linkifier not found.',
  );
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

function linkifierColumns(definition: LinkifierDefinition) {
  return {
    pattern: definition.pattern,
    url_template: definition.urlTemplate,
    example_input: definition.exampleInput ?? null,
    reverse_template: definition.reverseTemplate ?? null,
    alternative_url_templates: JSON.stringify(definition.alternativeUrlTemplates ?? []),
  };
}

/** Emits the linkifiers to all clients, also to those without URL templates, whose snapshots have none. */
function emitLinkifiers(act: ActionContext): void {
  act.server.derivedFacts.invalidate(linkifierRows);
  act.server.derivedFacts.invalidate(compiledLinkifiers);
  act.emit('realm_linkifiers', 'everyone', {realm_linkifiers: linkifierViews(act.server)});
}
