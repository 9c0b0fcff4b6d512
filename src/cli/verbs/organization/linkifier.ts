import {requireParameters} from '#api/encode-request.ts';
import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {type StateContext, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {changeEach, changeOnce, changeRepeatably} from '#cli/make-change.ts';
import {idArguments, requirePermission} from '#cli/name-arguments.ts';
import {tableLines} from '#cli/table-lines.ts';
import {UsageError} from '#cli/usage-error.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import type {VerbArguments} from '#cli/verbs/verb-table.ts';
import {
  addLinkifier,
  type LinkifierFields,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from '#state/actions/organization.ts';
import {allowedIf, isAdministrator} from '#state/selectors/permissions/permission.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {Linkifier} from '#state/state.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {endpoints} from '#wire/endpoints.ts';

const needs = {fetch: ['realm', 'realm_linkifiers'], people: 'self'} as const;

export const linkifierList: VerbRunner<'linkifier list'> = ({values}, io, signal) =>
  withState(values, io, signal, needs, async ({state}) => {
    const {linkifiers} = state;
    if (values.json) printJson(io, linkifiers);
    else if (linkifiers.length === 0) print(io, 'No linkifiers.');
    else {
      const rows = linkifiers.map(({id, pattern, urlTemplate}) => [String(id), pattern, urlTemplate]);
      print(io, tableLines(rows).join('\n'));
    }
    return exitCodes.ok;
  });

/** Runs a change, which only administrators can make. */
function changeLinkifiers(
  {values}: Pick<VerbArguments<'linkifier list'>, 'values'>,
  [io, signal]: readonly [StateContext['io'], AbortSignal],
  body: (context: SessionContext, linkifiers: readonly Linkifier[]) => Promise<{result: object; text: string}>,
) {
  return withState(values, io, signal, needs, (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      const {state} = verbContext;
      requirePermission(allowedIf(isAdministrator(state), 'Only administrators can change linkifiers.'));
      const {result, text} = await body(context, state.linkifiers);
      if (values.json) printJson(io, result);
      else print(io, text);
      return exitCodes.ok;
    }),
  );
}

export const linkifierAdd: VerbRunner<'linkifier add'> = (verbArguments, io, signal) =>
  changeLinkifiers(verbArguments, [io, signal], async (context) => {
    const {values, words} = verbArguments;
    const [pattern = '', url = ''] = words;
    const fields = {pattern, url_template: url, ...optionalFields(values)};
    requireParameters(endpoints.addLinkifier, Object.keys(fields), context.api.connection.level);
    const check = 'List the linkifiers with “parley linkifier list”.';
    const id = await changeOnce(() => addLinkifier(context, fields), check);
    return {result: {id}, text: `Added linkifier ${id}.`};
  });

export const linkifierEdit: VerbRunner<'linkifier edit'> = (verbArguments, io, signal) => {
  const {values, words} = verbArguments;
  const ids = idArguments(words);
  const {pattern, url, example, reverse, alternative} = values;
  if ((pattern ?? url ?? example ?? reverse) === undefined && alternative.length === 0) {
    throw new UsageError('Give at least one of --pattern, --url, --example, --reverse, --alternative.');
  }
  return changeLinkifiers(verbArguments, [io, signal], async (context, linkifiers) => {
    const before = linkifierWithId(linkifiers, ids[0] ?? 0);
    // A request has all fields: those that were not given stay as they are.
    const fields = {
      ...unchangedFields(before),
      ...(pattern !== undefined && {pattern}),
      ...(url !== undefined && {url_template: url}),
      ...optionalFields(values),
    };
    const given = Object.keys(optionalFields(values));
    requireParameters(endpoints.updateLinkifier, given, context.api.connection.level);
    await changeRepeatably(() => updateLinkifier(context, before.id, fields));
    return {result: {id: before.id}, text: `Changed linkifier ${before.id}.`};
  });
};

function unchangedFields({pattern, urlTemplate, exampleInput, reverseTemplate, alternativeUrlTemplates}: Linkifier) {
  return {
    pattern,
    url_template: urlTemplate,
    ...(exampleInput && {example_input: exampleInput}),
    ...(reverseTemplate && {reverse_template: reverseTemplate}),
    ...(alternativeUrlTemplates !== undefined && {alternative_url_templates: [...alternativeUrlTemplates]}),
  };
}

function optionalFields(values: VerbArguments<'linkifier add'>['values']): Partial<LinkifierFields> {
  const {example, reverse, alternative} = values;
  return {
    ...(example !== undefined && {example_input: example}),
    ...(reverse !== undefined && {reverse_template: reverse}),
    // An empty one removes all: a list cannot be given as empty otherwise.
    ...(alternative.length > 0 && {alternative_url_templates: alternative.filter((url) => url !== '')}),
  };
}

function linkifierWithId(linkifiers: readonly Linkifier[], id: number): Linkifier {
  const linkifier = linkifiers.find((each) => each.id === id);
  if (linkifier === undefined)
    throw new PlainFailure(`There is no linkifier ${id}. “parley linkifier list” lists them.`);
  return linkifier;
}

export const linkifierRemove: VerbRunner<'linkifier remove'> = (verbArguments, io, signal) => {
  const ids = idArguments(verbArguments.words);
  return changeLinkifiers(verbArguments, [io, signal], async (context, linkifiers) => {
    for (const id of ids) linkifierWithId(linkifiers, id);
    await changeEach(
      ids,
      (id) => removeLinkifier(context, id),
      (done) => printNotice(io, `${done} of ${ids.length} were removed before this failure:`),
    );
    return {result: {removed: ids}, text: `Removed ${countedNoun(ids.length, 'linkifier')}.`};
  });
};

export const linkifierReorder: VerbRunner<'linkifier reorder'> = (verbArguments, io, signal) => {
  const ids = idArguments(verbArguments.words);
  return changeLinkifiers(verbArguments, [io, signal], async (context, linkifiers) => {
    const first = ids.map((id) => linkifierWithId(linkifiers, id).id);
    const order = [...first, ...linkifiers.map(({id}) => id).filter((id) => !first.includes(id))];
    await changeRepeatably(() => reorderLinkifiers(context, order));
    return {result: {order}, text: `The order is ${order.join(', ')}.`};
  });
};
