import {expect, test} from 'vitest';
import {manualLines} from '#content/manual/manual-lines.ts';
import {manualTopics, readManualTopic} from '#content/manual/manual-topics.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {fewOrAll} from '#test/support/tier.ts';

function text(markdown: string, width: number): string {
  return manualLines(markdown, width)
    .map((line) =>
      line.spans
        .map((span) => span.text)
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

test.each(manualTopics)('manual: chapter $id is never wider than the terminal', (topic) => {
  const markdown = readManualTopic(topic);
  for (const width of fewOrAll([20, 80], [20, 40, 80, 120, 200])) {
    for (const line of manualLines(markdown, width)) {
      const columns = textColumns(line.spans.map((span) => span.text).join(''));
      expect(columns).toBe(line.width);
      expect(columns).toBeLessThanOrEqual(width);
    }
  }
});

test.each(manualTopics)('manual: chapter $id begins with its title and contains no Markdown marks', (topic) => {
  const rendered = text(readManualTopic(topic), 100);
  expect(rendered.split('\n')[0]).toBe(topic.title);
  expect(rendered).not.toMatch(/<!--|\| --- \|/);
});

test('manual: a table that fits is aligned in columns', () => {
  expect(text('| key | does |\n| --- | --- |\n| `a` | One thing |\n| `Ctrl-B` | Another |', 40)).toBe(
    'key     does\na       One thing\nCtrl-B  Another',
  );
});

test('manual: a table that is too wide becomes one item for each row', () => {
  expect(text('| key | does |\n| --- | --- |\n| `Ctrl-Shift-B` | Incomprehensibility |', 24)).toBe(
    '* Ctrl-Shift-B\n  Incomprehensibility',
  );
});

test('manual: paragraphs and list items are wrapped with a hanging indent', () => {
  expect(text('One two\nthree `four` five.\n\n- six seven **eight** nine', 16)).toBe(
    'One two three\nfour five.\n\n  * six seven\n    eight nine',
  );
});

test('manual: code, headings and strong text have roles', () => {
  const [heading, , paragraph] = manualLines('# Title\n\nUse `x` **now**.', 40);
  expect(heading?.spans).toEqual([{text: 'Title', role: 'heading'}]);
  expect(paragraph?.spans).toContainEqual({text: 'x', role: 'code'});
  expect(paragraph?.spans).toContainEqual({text: 'now', role: 'text', bold: true});
});
