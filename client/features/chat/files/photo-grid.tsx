import classes from './photo-grid.module.css';
import { PhotoTile, type ShownPhoto } from './photo-tile.tsx';

type Props = {
  photos: readonly ShownPhoto[];
  onOpen?: ((id: string) => void) | undefined;
  onRenew?: (() => Promise<void>) | undefined;
};

/** A long receipt or a panorama is cut in the bubble; the viewer shows all of it. */
const RATIO_MIN = 0.8;
const RATIO_MAX = 1.8;
/** For a photo of unknown size. */
const RATIO_UNKNOWN = 4 / 3;

function ratioOf({ width, height }: ShownPhoto): number {
  if (!width || !height) return RATIO_UNKNOWN;
  return Math.min(Math.max(width / height, RATIO_MIN), RATIO_MAX);
}

/** One to four photos of a message. Their places depend on nothing that is loaded. */
export function PhotoGrid({ photos, onOpen, onRenew }: Props) {
  const [only] = photos.length === 1 ? photos : [];
  return (
    <div className={classes['grid']} data-count={photos.length}>
      {photos.map((photo) => (
        <PhotoTile
          // Not by place: one of them may be taken out.
          key={photo.key}
          photo={photo}
          style={only ? { aspectRatio: ratioOf(only) } : undefined}
          onOpen={onOpen && (() => onOpen(photo.id))}
          onRenew={onRenew}
        />
      ))}
    </div>
  );
}
