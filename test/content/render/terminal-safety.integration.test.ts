import fc from 'fast-check';
import {expect, test} from 'vitest';
import {renderMessage} from '#content/render/render-message.ts';
import {ansiLine} from '#content/styled-text/ansi.ts';
import {modernTerminal, writeToTerminal} from '#test/support/terminal/modern-terminal.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {themes} from '#theme/themes.ts';
import {hostileMarkdown} from './hostile-markdown.ts';
import {renderContext} from './render-context-fixture.ts';

const look = themes.dark.styleSheet('true');
const [left, pane, right, rows] = [8, 20, 8, 24];

/** Starts a terminal with text around an empty pane. */
async function screen() {
  const terminal = modernTerminal(left + pane + right, rows);
  const reports: string[] = [];
  terminal.onTitleChange((title) => reports.push(`title ${title}`));
  terminal.onBell(() => reports.push('bell'));
  terminal.onData((data) => reports.push(`answer ${JSON.stringify(data)}`));
  for (const number of [0, 1, 2, 4, 7, 9, 10, 11, 12, 52, 104, 110, 133, 777, 1337]) {
    terminal.parser.registerOscHandler(number, (data) => {
      reports.push(`osc ${number} ${data}`);
      return true;
    });
  }
  await writeToTerminal(
    terminal,
    `\u001b[?7l${Array.from({length: rows}, (_, y) => `\u001b[${y + 1};1H${'N'.repeat(left)}${' '.repeat(pane)}${'N'.repeat(right)}`).join('')}`,
  );
  return {terminal, reports};
}

test('render: a hostile message never changes the title, the clipboard, or the screen outside its pane', async () => {
  await fc.assert(
    fc.asyncProperty(hostileMarkdown, async (source) => {
      const {terminal, reports} = await screen();
      const {lines, links} = renderMessage({source, senderName: source}, renderContext, {
        width: pane,
        expanded: true,
      });
      const visibleLines = lines.slice(0, rows);
      const hyperlinks = {links, realmUrl: 'https://chat.example.com', id: 'm'};
      for (const [y, line] of visibleLines.entries()) {
        await writeToTerminal(terminal, `\u001b[${y + 1};${left + 1}H${ansiLine(line, look, hyperlinks)}`);
        const {cursorX, cursorY} = terminal.buffer.active;
        expect(cursorY).toBe(y);
        expect(cursorX).toBeLessThanOrEqual(left + line.width);
      }
      for (let y = 0; y < rows; y++) {
        const row = terminal.buffer.active.getLine(y);
        expect(row?.translateToString(false, 0, left)).toBe('N'.repeat(left));
        expect(row?.translateToString(false, left + pane)).toBe('N'.repeat(right));
      }
      // Text written afterwards has no leftover style.
      await writeToTerminal(terminal, '\u001b[1;1HN');
      const cell = terminal.buffer.active.getLine(0)?.getCell(0);
      expect([cell?.isAttributeDefault(), reports]).toEqual([true, []]);
      terminal.dispose();
    }),
    {numRuns: fewOrAll(37, 150), seed: 1},
  );
});
