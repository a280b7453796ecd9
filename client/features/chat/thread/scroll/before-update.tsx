import { Component, type ReactNode } from 'react';

type Props = { onBeforeUpdate: () => void; children: ReactNode };

/**
 * Calls back after React has prepared an update and before it changes the page. Hooks cannot do that: they run while the update
 * is prepared, when the reader may still scroll, or after the change.
 */
export class BeforeUpdate extends Component<Props> {
  override getSnapshotBeforeUpdate(): null {
    this.props.onBeforeUpdate();
    return null;
  }

  /** React asks for it beside `getSnapshotBeforeUpdate`. */
  override componentDidUpdate(): void {}

  override render(): ReactNode {
    return this.props.children;
  }
}
