import {RecordKind} from '#app/forms/record-kind.ts';
import {compileLinkifier, findLinkifierMatches, type LinkifierDefinition} from '#content/linkifier.ts';
import {linkifierProblem, reverseLinkify} from '#content/linkifier-validation.ts';
import type {LinkifierFields} from '#state/actions/administration.ts';
import type {Linkifier} from '#state/slices/linkifiers.ts';
import type {AccountState} from '#state/state.ts';
import {type FormField, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {addLinkifier as endpoint, reorderLinkifiers as reordering} from '#wire/endpoints/organization.ts';
import {isApiFailure} from '#wire/failure.ts';
import {sinceProblem} from '#wire/server-features.ts';
import {organizationList} from './organization-list.ts';
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

function linkifierFields(
  frame: Frame,
  values: LinkifierValues,
  linkifier: Linkifier | undefined,
): readonly FormField[] {
  const {params} = endpoint;
  const others = frame.account.linkifiers.filter(({id}) => id !== linkifier?.id);
  const definition = definitionOf(values);
  const problemAt = problemsByField(values, linkifier && valuesOf(linkifier));
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

function canReorder(account: AccountState): boolean {
  return sinceProblem(account.server.level, reordering) === undefined;
}

/** The linkifiers. The first that matches a text wins. */
export const linkifiers = new RecordKind<Linkifier, LinkifierValues, number>({
  noun: 'linkifier',
  list: {
    id: 'linkifiers',
    title: 'Linkifiers',
    empty: 'No linkifiers: they turn texts such as #123 into links',
    addLabel: 'New linkifier…',
    rows: ({account}) =>
      account.linkifiers.map(({id, pattern, urlTemplate}) => ({key: String(id), label: pattern, detail: urlTemplate})),
    order: {
      what: 'linkifiers',
      slice: 'linkifiers',
      keys: (account) => account.linkifiers.map(({id}) => String(id)),
      send: ({api}, keys) => api.reorderLinkifiers({ordered_linkifier_ids: keys.map(Number)}),
    },
    moveProblem: (frame) => administratorReason(frame) ?? serverReason(frame, reordering),
  },
  keyOf: Number,
  find: ({account}, id) => account.linkifiers.find((one) => one.id === id),
  changeReason: administratorReason,
  form: {
    title: 'Linkifier',
    newTitle: 'New linkifier',
    createLabel: 'Add the linkifier',
    values: valuesOf,
    fields: linkifierFields,
    errorField,
  },
  create: async ({api}, values) => (await api.addLinkifier(wireLinkifier(definitionOf(values)))).id,
  created: ({pattern}) => ({
    done: `Added the linkifier ${pattern}`,
    undone: `Removed the linkifier ${pattern}`,
    notUndone: 'The linkifier was not removed',
  }),
  change: {
    update: ({api}, id, {values}) => api.updateLinkifier({filter_id: id, ...wireLinkifier(definitionOf(values))}),
    texts: ({values: {pattern}, before}) => ({
      done: `Changed the linkifier ${pattern}`,
      undone: `Restored the linkifier ${before.pattern}`,
      notUndone: 'The linkifier was not restored',
    }),
  },
  removal: {
    remove: ({api}, id) => api.removeLinkifier({filter_id: id}),
    confirm: ({pattern}) => ({title: `Remove the linkifier ${pattern}?`, yes: 'Remove'}),
    texts: ({pattern}) => ({
      done: `Removed the linkifier ${pattern}`,
      failed: 'The linkifier was not removed',
      undone: `Added the linkifier ${pattern} again`,
      notUndone: 'The linkifier was not added again',
    }),
    restore: async ({api}, removed, before) => {
      const {id: newId} = await api.addLinkifier(wireLinkifier(removed));
      // A new linkifier is the last one.
      const ids = before.linkifiers.map(({id}) => (id === removed.id ? newId : id));
      if (canReorder(before)) await api.reorderLinkifiers({ordered_linkifier_ids: ids});
      return newId;
    },
  },
});

export const linkifierList = organizationList(linkifiers, {
  detail: 'texts such as #123 that become links',
  aliases: ['linkifier', 'link patterns', 'issue links', 'ticket links', 'realm filters', 'add linkifier'],
});
