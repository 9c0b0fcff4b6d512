import {requireParameters} from '#api/encode-request.ts';
import {PlainFailure, UsageError} from '#cli/io.ts';
import {idArguments, requirePermission} from '#cli/name-arguments.ts';
import {tableText} from '#cli/table-lines.ts';
import type {LinkifierFields} from '#state/actions/administration.ts';
import {allowedIf, isAdministrator} from '#state/selectors/permissions/permission.ts';
import type {Linkifier} from '#state/slices/linkifiers.ts';
import type {AccountState} from '#state/state.ts';
import {endpoints} from '#wire/endpoints.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {changeEach, partly, sessionVerb, stateVerb} from './account-verb.ts';
import type {VerbArguments, VerbRunner} from './verb-table.ts';

const linkifierNeeds = {fetch: ['realm', 'realm_linkifiers'], people: 'self'} as const;

export const linkifierList: VerbRunner<'linkifier list'> = stateVerb(linkifierNeeds, async ({state: {linkifiers}}) => {
  const rows = linkifiers.map(({id, pattern, urlTemplate}) => [String(id), pattern, urlTemplate]);
  return {json: linkifiers, text: rows.length === 0 ? 'No linkifiers.' : tableText(rows)};
});

function requireAdministrator(state: AccountState): void {
  requirePermission(allowedIf(isAdministrator(state), 'Only administrators can change linkifiers.'));
}

export const linkifierAdd: VerbRunner<'linkifier add'> = sessionVerb(
  linkifierNeeds,
  async ({api, state, values, words}) => {
    requireAdministrator(state);
    const [pattern = '', url = ''] = words;
    const fields = {pattern, url_template: url, ...optionalFields(values)};
    requireParameters(endpoints.addLinkifier, Object.keys(fields), api.connection.level);
    const {id} = await api.addLinkifier(fields);
    return {json: {id}, text: `Added linkifier ${id}.`};
  },
);

export const linkifierEdit: VerbRunner<'linkifier edit'> = sessionVerb(
  ({values, words}) => {
    const {pattern, url, ...others} = values;
    const given = optionalFields(others);
    const ids = idArguments(words);
    if ((pattern ?? url) === undefined && Object.keys(given).length === 0) {
      throw new UsageError('Give at least one of --pattern, --url, --example, --reverse, --alternative.');
    }
    return {...linkifierNeeds, ids, given};
  },
  async ({api, state, session, values: {pattern, url}}, {ids, given}) => {
    requireAdministrator(state);
    const before = linkifierWithId(state, ids[0] ?? 0);
    const {id, exampleInput, reverseTemplate, alternativeUrlTemplates: alternatives} = before;
    // A request has all fields: those that were not given stay as they are.
    const fields = {
      pattern: pattern ?? before.pattern,
      url_template: url ?? before.urlTemplate,
      ...(exampleInput && {example_input: exampleInput}),
      ...(reverseTemplate && {reverse_template: reverseTemplate}),
      ...(alternatives !== undefined && {alternative_url_templates: [...alternatives]}),
      ...given,
    };
    requireParameters(endpoints.updateLinkifier, Object.keys(given), api.connection.level);
    await session.api.updateLinkifier({filter_id: id, ...fields});
    return {json: {id}, text: `Changed linkifier ${id}.`};
  },
);

type OptionalValues = Pick<VerbArguments<'linkifier add'>['values'], 'example' | 'reverse' | 'alternative'>;

function optionalFields({example, reverse, alternative}: OptionalValues): Partial<LinkifierFields> {
  return {
    ...(example !== undefined && {example_input: example}),
    ...(reverse !== undefined && {reverse_template: reverse}),
    // An empty one removes all: a list cannot be given as empty otherwise.
    ...(alternative.length > 0 && {alternative_url_templates: alternative.filter((url) => url !== '')}),
  };
}

function linkifierWithId({linkifiers}: AccountState, id: number): Linkifier {
  const linkifier = linkifiers.find((each) => each.id === id);
  if (linkifier !== undefined) return linkifier;
  throw new PlainFailure(`There is no linkifier ${id}. “parley linkifier list” lists them.`);
}

export const linkifierRemove: VerbRunner<'linkifier remove'> = sessionVerb(
  ({words}) => ({...linkifierNeeds, ids: idArguments(words)}),
  async ({state, io, session}, {ids}) => {
    requireAdministrator(state);
    for (const id of ids) linkifierWithId(state, id);
    await changeEach(io, ids, (id) => session.api.removeLinkifier({filter_id: id}), partly(ids, 'removed'));
    return {json: {removed: ids}, text: `Removed ${countedNoun(ids.length, 'linkifier')}.`};
  },
);

export const linkifierReorder: VerbRunner<'linkifier reorder'> = sessionVerb(
  ({words}) => ({...linkifierNeeds, ids: idArguments(words)}),
  async ({state, session}, {ids}) => {
    requireAdministrator(state);
    const first = ids.map((id) => linkifierWithId(state, id).id);
    const order = [...first, ...state.linkifiers.map(({id}) => id).filter((id) => !first.includes(id))];
    await session.api.reorderLinkifiers({ordered_linkifier_ids: [...order]});
    return {json: {order}, text: `The order is ${order.join(', ')}.`};
  },
);
