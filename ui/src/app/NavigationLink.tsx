// A link of the navigation, with the number of records behind it that wait for an action.
import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import { WaitingPill, WaitingText } from "./WaitingPill";

interface NavigationLinkProps {
  to: string;
  className: string | undefined;
  /** "page": it is the page; true: the page is below it. */
  current: "page" | true | undefined;
  waiting?: number;
  children: ReactNode;
  onClick?: () => void;
}

export function NavigationLink(props: NavigationLinkProps) {
  const { to, className, current, waiting = 0, children, onClick } = props;
  const id = useId();
  return (
    <>
      <Link
        to={to}
        className={className}
        aria-current={current}
        aria-describedby={waiting > 0 ? id : undefined}
        {...(onClick && { onClick })}
      >
        {children}
        <WaitingPill count={waiting} />
      </Link>
      <WaitingText id={id} count={waiting} />
    </>
  );
}
