import {memo} from 'react';
import {headerLines} from '#app/header.ts';
import type {Rect} from '#app/layout.ts';
import {Pane} from '#ui/Pane.tsx';

export const Header = memo(function Header({rect}: {readonly rect: Rect}) {
  return <Pane rect={rect} lines={headerLines} label="Header" />;
});
