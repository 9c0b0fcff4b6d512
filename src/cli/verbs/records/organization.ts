import {commonOptions, type Verb} from '#cli/verbs/verb.ts';

const idNote = 'ID is an id from the list.';
const linkifierNote =
  'PATTERN is a regular expression with named groups, such as #(?P<id>[0-9]+); URL is a URL template, such as https://tracker.example/{id}.';

/** The optional fields of a linkifier. */
const linkifier = {
  example: {type: 'text', value: 'TEXT', verbatim: true, summary: 'a text that matches; needed for --reverse'},
  reverse: {
    type: 'text',
    value: 'TEXT',
    verbatim: true,
    summary: 'the text that a pasted URL becomes, such as #{id}; empty: none',
  },
  alternative: {
    type: 'text',
    value: 'URL',
    many: true,
    summary: 'another template of URLs that become that text when they are pasted',
  },
} as const;

/** The verbs that change the organization. */
export const organizationRecords = {
  'linkifier list': {
    summary: 'list linkifiers, in the order in which they apply',
    usage: [''],
    arguments: {min: 0, max: 0},
    options: commonOptions,
  },
  'linkifier add': {
    mustNotRepeat: true,
    summary: 'add a linkifier',
    usage: ['PATTERN URL [--example TEXT --reverse TEXT] [--alternative URL…]'],
    arguments: {min: 2, max: 2},
    options: {...commonOptions, ...linkifier},
    notes: [linkifierNote],
  },
  'linkifier edit': {
    summary: 'change a linkifier',
    usage: ['ID [--pattern PATTERN] [--url URL] [--example TEXT] [--reverse TEXT] [--alternative URL…]'],
    arguments: {min: 1, max: 1},
    options: {
      ...commonOptions,
      pattern: {type: 'text', value: 'PATTERN', verbatim: true, summary: 'new pattern'},
      url: {type: 'text', value: 'URL', summary: 'new URL template'},
      ...linkifier,
    },
    notes: [idNote, linkifierNote],
  },
  'linkifier remove': {
    summary: 'remove linkifiers',
    usage: ['ID…'],
    arguments: {min: 1, max: 100},
    options: commonOptions,
    notes: [idNote],
  },
  'linkifier reorder': {
    summary: 'change the order in which linkifiers apply',
    usage: ['ID…'],
    arguments: {min: 1, max: 1000},
    options: commonOptions,
    notes: [`${idNote} Those that are not named follow in their present order.`],
  },
} as const satisfies Readonly<Record<string, Verb>>;
