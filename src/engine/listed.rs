//! Enumerations with a list of their variants: the cards of a deck, the Nations, the people of the story.

/// Defines an enumeration and the list `ALL` of its variants, in the order in which they are written.
#[macro_export]
macro_rules! listed {
    ($(#[$doc:meta])* $name:ident { $($variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name { $($variant),+ }

        impl $name {
            /// Every one, in order.
            pub const ALL: [$name; [$($name::$variant),+].len()] = [$($name::$variant),+];
        }
    };
}

pub use listed;
