import {isApiFailure} from '#api/failure.ts';
import type {App} from '#app/core/app.ts';
import {openForm} from '#app/forms/open-form.ts';
import {openRecordList, recordAction, viewAction} from '#app/forms/record-list.ts';
import {changeOnServer, undoOffer} from '#app/requests/server-request.ts';
import {compileLinkifier, findLinkifierMatches, type LinkifierDefinition} from '#content/linkifier.ts';
import {linkifierProblem, reverseLinkify} from '#content/linkifier-validation.ts';
import type {LinkifierFields} from '#state/actions/administration.ts';
import type {Linkifier} from '#state/slices/linkifiers.ts';
import {type FormField, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {addLinkifier as endpoint, reorderLinkifiers as reordering} from '#wire/endpoints/organization.ts';
import {administratorReason, serverReason} from './organization-rights.ts';

type LinkifierValues = {
  pattern: string;
  urlTemplate: string;
  exampleInput: string;
  reverseTemplate: string;
  /** One template per line. */
  alternatives: string;
  /** A text or URL to try the linkifier with. */
  trial: string;
};

/** Opens the form for a linkifier; `id` is undefined for a new one. */
export function openLinkifierForm(app: App, id: number | undefined): void {
  openForm<LinkifierValues>(app, {
    id: `linkifier ${id ?? 'new'}`,
    title: id === undefined ? 'New linkifier' : 'Linkifier',
    ...(id === undefined && {isNew: true as const, saveLabel: 'Add the linkifier'}),
    initial: (frame) => valuesOf(linkifierIn(frame, id)),
    fields: (frame, values) =>
      id !== undefined && linkifierIn(frame, id) === undefined ? [] : linkifierFields(frame, values, id),
    disabledReason: administratorReason,
    errorField,
    save: (from, _changes, values) => (id === undefined ? add(from, values) : change(from, id, values)),
  });
}

function linkifierIn({account}: Pick<Frame, 'account'>, id: number | undefined): Linkifier | undefined {
  return account.linkifiers.find((one) => one.id === id);
}

function valuesOf(linkifier: Linkifier | undefined): LinkifierValues {
  return {
    pattern: linkifier?.pattern ?? '',
    urlTemplate: linkifier?.urlTemplate ?? '',
    exampleInput: linkifier?.exampleInput ?? '',
    reverseTemplate: linkifier?.reverseTemplate ?? '',
    alternatives: linkifier?.alternativeUrlTemplates?.join('\n') ?? '',
    trial: '',
  };
}

function definitionOf(values: LinkifierValues): LinkifierDefinition {
  const {pattern, urlTemplate, exampleInput, reverseTemplate} = values;
  const alternativeUrlTemplates = values.alternatives.split('\n').flatMap((line) => line.trim() || []);
  return {pattern, urlTemplate, exampleInput, reverseTemplate, alternativeUrlTemplates};
}

/** All fields are sent: the server checks a reverse template only together with its example. */
function wireLinkifier(linkifier: LinkifierDefinition): LinkifierFields {
  return {
    pattern: linkifier.pattern,
    url_template: linkifier.urlTemplate,
    example_input: linkifier.exampleInput ?? '',
    reverse_template: linkifier.reverseTemplate ?? '',
    alternative_url_templates: [...(linkifier.alternativeUrlTemplates ?? [])],
  };
}

async function add(app: App, values: LinkifierValues): Promise<ToastMessage> {
  const {api} = app;
  const {id} = await api.addLinkifier(wireLinkifier(definitionOf(values)));
  return undoOffer(app, {
    label: `Added the linkifier ${values.pattern}`,
    undo: () => api.removeLinkifier({filter_id: id}),
    undoneText: `Removed the linkifier ${values.pattern}`,
    failureText: 'The linkifier was not removed',
  });
}

async function change(app: App, id: number, values: LinkifierValues): Promise<ToastMessage> {
  const {api} = app;
  const before = definitionOf(valuesOf(linkifierIn(app.frame, id)));
  await api.updateLinkifier({filter_id: id, ...wireLinkifier(definitionOf(values))});
  return undoOffer(app, {
    label: `Changed the linkifier ${values.pattern}`,
    undo: () => api.updateLinkifier({filter_id: id, ...wireLinkifier(before)}),
    undoneText: `Restored the linkifier ${before.pattern}`,
    failureText: 'The linkifier was not restored',
  });
}

const fieldKeys = {
  pattern: 'pattern',
  urlTemplate: 'urlTemplate',
  exampleInput: 'exampleInput',
  reverseTemplate: 'reverseTemplate',
  alternativeUrlTemplates: 'alternatives',
} as const satisfies Record<keyof LinkifierDefinition, keyof LinkifierValues>;

/** Returns the field that a text of the server is about. */
function errorField(error: unknown): keyof LinkifierValues | undefined {
  const text = isApiFailure(error) ? error.message : '';
  if (/regular expression|already exists/i.test(text)) return 'pattern';
  if (/alternative/.test(text)) return 'alternatives';
  if (/^Example (?:input|text is required)/.test(text)) return 'exampleInput';
  if (/auto-conversion/.test(text)) return 'reverseTemplate';
  return /URL template|in linkifier pattern/.test(text) ? 'urlTemplate' : undefined;
}

function linkifierFields(frame: Frame, values: LinkifierValues, id: number | undefined): readonly FormField[] {
  const {params} = endpoint;
  const others = frame.account.linkifiers.filter((one) => one.id !== id);
  const definition = definitionOf(values);
  const problemAt = problemsByField(values, id === undefined ? undefined : valuesOf(linkifierIn(frame, id)));
  const isTaken = others.some(({pattern}) => pattern === values.pattern);
  const reverseReason = serverReason(frame, params.reverse_template);
  return [
    formField('text', fieldKeys.pattern, 'Pattern', {
      help: 'A regular expression. Groups have names: #(?P<id>[0-9]+)',
      isRequired: true,
      validate: () => (isTaken ? 'Another linkifier has this pattern' : problemAt('pattern')()),
    }),
    formField('text', fieldKeys.urlTemplate, 'URL template', {
      help: 'The groups of the pattern in braces: https://tickets.example/{id}',
      isRequired: true,
      validate: problemAt('urlTemplate'),
    }),
    formField('text', fieldKeys.exampleInput, 'Example text', {
      help: 'A text that the pattern matches: #123',
      disabled: reverseReason,
      validate: problemAt('exampleInput'),
      result: linksText(definition, values.exampleInput),
    }),
    formField('text', fieldKeys.reverseTemplate, 'Auto-conversion', {
      help: 'What a pasted URL can become, with the groups in braces: #{id}',
      disabled: reverseReason,
      validate: problemAt('reverseTemplate'),
      result: backText(definition, values.exampleInput),
    }),
    formField('text', fieldKeys.alternativeUrlTemplates, 'Other URLs', {
      help: 'More URL templates, one per line. Auto-conversion understands them too.',
      isMultiline: true,
      disabled: serverReason(frame, params.alternative_url_templates),
      validate: problemAt('alternativeUrlTemplates'),
    }),
    formField('text', 'trial', 'Try it', {
      help: 'Any text or URL, to see what becomes of it. Not saved.',
      isUnsaved: true,
      result: trialText(definition, values.trial),
    }),
  ];
}

/**
 * Returns the problem of each field. Two fields that do not fit together are a problem of the one that was changed: that of
 * the other would not be seen.
 */
function problemsByField(values: LinkifierValues, before: LinkifierValues | undefined) {
  const problem = linkifierProblem(definitionOf(values));
  const isChanged = (key: keyof LinkifierValues) => before === undefined || values[key] !== before[key];
  return (field: keyof LinkifierDefinition) => () => {
    if (problem === undefined || problem.field === field) return problem?.text;
    return !isChanged(fieldKeys[problem.field]) && isChanged(fieldKeys[field]) ? problem.text : undefined;
  };
}

/** Returns the links in a text: `#12 → https://tickets.example/12`, or only the URL when all of the text is one link. */
function linksText(definition: LinkifierDefinition, text: string): string | undefined {
  const compiled = text === '' ? undefined : compileLinkifier(definition);
  const matches = compiled === undefined ? [] : findLinkifierMatches(text, compiled);
  if (matches.length === 0) return undefined;
  return matches.map((match) => `${match.text === text ? '' : `${match.text} `}→ ${match.url}`).join('\n');
}

/** Returns the short form of the example's URL: `https://tickets.example/12 → #12`. */
function backText(definition: LinkifierDefinition, example: string): string | undefined {
  const compiled = example === '' || definition.reverseTemplate === '' ? undefined : compileLinkifier(definition);
  const [match] = compiled === undefined ? [] : findLinkifierMatches(example, compiled);
  const short = compiled === undefined || match === undefined ? undefined : reverseLinkify(match.url, [compiled]);
  return short === undefined ? undefined : `${match?.url} → ${short}`;
}

function trialText(definition: LinkifierDefinition, text: string): string | undefined {
  if (text === '') return undefined;
  const compiled = compileLinkifier(definition);
  const short = compiled && reverseLinkify(text, [compiled]);
  return short === undefined ? (linksText(definition, text) ?? 'No link') : `${text} → ${short}`;
}

/** Opens the list of linkifiers, to add, change, move and remove them. The first that matches a text wins. */
export function openLinkifierList(app: App): void {
  openRecordList(app, {
    id: 'linkifiers',
    title: 'Linkifiers',
    empty: 'No linkifiers: they turn texts such as #123 into links',
    rows: ({account}) =>
      account.linkifiers.map(({id, pattern, urlTemplate}) => ({key: String(id), label: pattern, detail: urlTemplate})),
    add: {
      label: 'New linkifier…',
      disabledReason: administratorReason,
      run: (from) => openLinkifierForm(from, undefined),
    },
    actions: [
      viewAction('Enter', 'edit', (from, {key}) => openLinkifierForm(from, Number(key))),
      recordAction('Delete', 'remove', {
        disabledReason: (_row, frame) => administratorReason(frame),
        confirm: ({label}) => ({title: `Remove the linkifier ${label}?`, yes: 'Remove'}),
        run: (from, {key}) => remove(from, Number(key)),
      }),
    ],
    order: {
      what: 'linkifiers',
      slice: 'linkifiers',
      keys: ({linkifiers}) => linkifiers.map(({id}) => String(id)),
      send: ({api}, keys) => api.reorderLinkifiers({ordered_linkifier_ids: keys.map(Number)}),
    },
    moveProblem: (frame) => administratorReason(frame) ?? serverReason(frame, reordering),
  });
}

function remove(app: App, id: number): void {
  const {api} = app;
  const {linkifiers} = app.state;
  const removed = linkifiers.find((one) => one.id === id);
  if (removed === undefined) return;
  const addAgain = async () => {
    const {id: newId} = await api.addLinkifier(wireLinkifier(removed));
    const isReorderable = serverReason(app.frame, reordering) === undefined;
    // A new linkifier is the last one.
    const ids = linkifiers.map((one) => (one.id === id ? newId : one.id));
    if (isReorderable) await api.reorderLinkifiers({ordered_linkifier_ids: ids});
    return newId;
  };
  changeOnServer(app, {
    send: () => api.removeLinkifier({filter_id: id}),
    redo: (newId) => api.removeLinkifier({filter_id: newId}),
    failureText: 'The linkifier was not removed',
    label: `Removed the linkifier ${removed.pattern}`,
    undo: addAgain,
    undoneText: `Added the linkifier ${removed.pattern} again`,
    undoFailureText: 'The linkifier was not added again',
  });
}
