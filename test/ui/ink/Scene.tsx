import {Box, type BoxProps, Text, Transform, useCursor} from 'ink';
import {FloatingBox, LinesPane} from '#ui/Lines.tsx';

/** A tree of components as data, so that two programs can render the same tree. */
export type SceneNode =
  | {readonly kind: 'box'; readonly props: BoxProps; readonly children: readonly SceneNode[]}
  | {readonly kind: 'text'; readonly text: string; readonly color?: string; readonly isBold?: boolean}
  | {readonly kind: 'uppercase'; readonly text: string}
  | {
      readonly kind: 'lines';
      readonly width: number;
      readonly height: number;
      readonly lines: readonly string[];
    }
  | {
      readonly kind: 'overlay';
      readonly left: number;
      readonly top: number;
      readonly width: number;
      readonly height: number;
      readonly child: SceneNode;
    }
  | {readonly kind: 'cursor'; readonly x: number; readonly y: number; readonly child: SceneNode};

export function Scene({node}: {node: SceneNode}) {
  switch (node.kind) {
    case 'box':
      return (
        <Box {...node.props}>
          {node.children.map((child, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: children have no identity but their index
            <Scene key={index} node={child} />
          ))}
        </Box>
      );
    case 'text':
      return (
        <Text bold={node.isBold === true} {...(node.color === undefined ? {} : {color: node.color})}>
          {node.text}
        </Text>
      );
    case 'uppercase':
      return (
        <Transform transform={(line, row) => (row === 0 ? line.toUpperCase() : line)}>
          <Text>{node.text}</Text>
        </Transform>
      );
    case 'lines':
      return <LinesPane width={node.width} height={node.height} lines={node.lines} />;
    case 'overlay':
      return (
        <FloatingBox left={node.left} top={node.top} width={node.width} height={node.height}>
          <Scene node={node.child} />
        </FloatingBox>
      );
    case 'cursor':
      return <WithCursor x={node.x} y={node.y} child={node.child} />;
  }
}

function WithCursor({x, y, child}: {x: number; y: number; child: SceneNode}) {
  const {setCursorPosition} = useCursor();
  setCursorPosition({x, y});
  return <Scene node={child} />;
}
