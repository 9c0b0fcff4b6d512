import {Box, renderToString} from 'ink';
import {expect, test} from 'vitest';
import {FloatingBox, LinesPane} from '#ui/Lines.tsx';

const dots = Array.from({length: 5}, () => '.'.repeat(12));

function rows(node: React.ReactNode): string[] {
  return renderToString(node, {columns: 12}).split('\n');
}

test('LinesPane: paints its lines from the top and has its full height', () => {
  const shown = rows(<LinesPane width={12} height={3} lines={['one', '\u001b[1mtwo\u001b[22m']} />);
  expect(shown).toEqual(['one', '\u001b[1mtwo\u001b[22m', '']);
});

test('LinesPane: two panes side by side', () => {
  const shown = rows(
    <Box>
      <LinesPane width={4} height={2} lines={['a', 'b']} />
      <Box position="absolute" left={4}>
        <LinesPane width={4} height={2} lines={['c', 'd', 'below']} />
      </Box>
    </Box>,
  );
  expect(shown).toEqual(['a   c', 'b   d']);
});

test('LinesPane: without columns or rows paints nothing', () => {
  expect(rows(<LinesPane width={0} height={3} lines={['a']} />)).toEqual(['']);
  expect(rows(<LinesPane width={3} height={0} lines={['a']} />)).toEqual(['']);
});

test('FloatingBox: covers everything beneath it', () => {
  const shown = rows(
    <Box>
      <LinesPane width={12} height={5} lines={dots} />
      <FloatingBox left={2} top={1} width={6} height={3}>
        <LinesPane width={6} height={3} lines={['┌────┐', '│ hi']} />
      </FloatingBox>
    </Box>,
  );
  expect(shown).toEqual(['............', '..┌────┐....', '..│ hi  ....', '..      ....', '............']);
});

test('FloatingBox: leaves no half of a wide character at its edge', () => {
  const shown = rows(
    <Box>
      <LinesPane width={12} height={1} lines={['会会会会会会']} />
      <FloatingBox left={3} top={0} width={4} height={1}>
        <LinesPane width={4} height={1} lines={['x']} />
      </FloatingBox>
    </Box>,
  );
  expect(shown).toEqual(['会 x    会会']);
});
