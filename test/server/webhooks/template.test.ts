import {expect, test} from 'vitest';
import {fillTemplate} from '#server/webhooks/template.ts';

const body = {
  repo: {name: 'harbor', private: false},
  count: 2,
  // The items have a text of their own.
  text: 'Outer',
  commits: [
    {id: '0123456789', text: 'First line\nsecond'},
    {id: 'abcdef0123', text: 'Two'},
  ],
  none: [],
};

test.each([
  ['{{repo.name}} has {{count}}', 'harbor has 2'],
  ['{{commits.1.text}} {{ repo.missing }}.', 'Two .'],
  [
    '{{#each commits}}{{id|short}} {{text|line}} of {{repo.name}}; {{/each}}',
    '0123456 First line of harbor; abcdef0 Two of harbor; ',
  ],
  ['{{#if repo.private}}secret{{else}}open{{/if}}{{#if none}}!{{/if}}', 'open'],
  ['{{#if count = 2}}two{{/if}}{{#if count = 3}}three{{/if}}', 'two'],
  ['{{#each commits}}{{#if id = abcdef0123}}{{.}}{{/if}}{{/each}}', '{"id":"abcdef0123","text":"Two"}'],
  ['{ {{repo}} }', '{ {"name":"harbor","private":false} }'],
  ['{{__proto__}}{{constructor.name}}{{repo.toString}}', ''],
])('template: %s', (template, text) => {
  expect(fillTemplate(template, body)).toBe(text);
});

test.each([
  ['{{#if a}}x', '{{#if a}} has no {{/if}}'],
  ['x{{/each}}', '{{/each}} is not known here'],
  ['{{else}}', '{{else}} is not known here'],
  ['{{a|loud}}', 'there is no filter “loud”: use line, short, branch'],
  ['{{#if a}}'.repeat(20), 'its parts are nested too deeply'],
])('template: %s is refused', (template, problem) => {
  expect(() => fillTemplate(template, {a: 1})).toThrow(`The template is wrong: ${problem}.`);
});

test('template: lists within lists, and long texts, end', () => {
  const lists = Array.from({length: 100}, () => 'x');
  const depth = 8;
  const template = '{{#each l}}'.repeat(depth) + '{{/each}}'.repeat(depth);
  expect(fillTemplate(template, {l: lists})).toBe('');
  expect(fillTemplate('{{#each l}}{{t}}{{/each}}', {l: lists, t: 'y'.repeat(9000)}).length).toBe(10_000);
});
