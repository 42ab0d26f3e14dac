"""What stands in a file of the languages most asked for, seen by one sample of each."""

from tests.code.outlines import borders, outline, sample


def test_python() -> None:
    """Python declares these, and is cut between them."""
    parsed = sample(
        """
        #!/usr/bin/env python
        \"\"\"Baskets.\"\"\"

        import os
        from shop.base import Container as Box

        try:
            import fast
        except ImportError:
            fast = None

        LIMIT = 10


        # What holds eggs.
        @final
        @decorated(by=1)
        class Basket(Box, models.Model, Generic[T], metaclass=Meta):
            \"\"\"Holds eggs.

            Many of them.
            \"\"\"

            size = 3

            class Meta:
                pass

            @property
            def eggs(self) -> list[Egg]:
                \"\"\"The eggs.\"\"\"
                def inner(): pass
                return os.path.join(self.eggs)

            # Why not.
            async def add(self, egg: "Egg"): self.eggs.append(egg)


        def main():
            open("docs/x.md")


        if __name__ == "__main__":
            main()
        """,
        "python",
    )

    assert outline(parsed) == [
        "12-12 constant LIMIT",
        "15-36 class Basket, extends Box models.Model Generic, documented",
        "26-27 class Basket.Meta",
        "29-33 method Basket.eggs, documented",
        "35-36 method Basket.add, documented",
        "39-40 function main",
    ]
    assert borders(parsed) == [
        "1-11 head",
        "12-14 declarations",
        "15-38 declarations",
        "39-44 declarations",
    ]


def test_javascript() -> None:
    """JavaScript declares these, and is cut between them."""
    parsed = sample(
        """
        #!/usr/bin/env node
        'use strict';
        // Baskets.
        import fs, { join as j } from './util.js';
        const x = require('./other');

        /** How many. */
        export const LIMIT = 10, MORE = 11;

        /**
         * Holds eggs.
         */
        export default class Basket extends shop.Container {
          size = 3;

          /** Adds. */
          @bound
          async add(egg) {
            this.eggs.push(new Egg(egg));
          }

          handle = () => {
            join();
          };
          static get a() { return 1 }
        }

        // Sums up.
        export const sum = (a, b) => a + b;

        function* walk() {}

        exports.run = function () {
          walk();
        };
        app.prototype.use = () => { };
        const View = () => <Basket size={1}><Egg/></Basket>;
        """,
        "javascript",
    )

    assert outline(parsed) == [
        "5-5 constant x",
        "7-8 constant LIMIT, documented",
        "7-8 constant MORE, documented",
        "10-26 class Basket, extends shop.Container, documented",
        "16-20 method Basket.add, documented",
        "22-24 method Basket.handle",
        "25-25 method Basket.a",
        "28-29 function sum, documented",
        "31-31 function walk",
        "33-35 function run",
        "36-36 function use",
        "37-37 function View",
    ]
    assert borders(parsed) == [
        "1-6 head",
        "7-30 declarations",
        "31-37 declarations",
    ]


def test_tsx() -> None:
    """TypeScript declares these, and is cut between them."""
    parsed = sample(
        """
        import type { A } from "react";
        import { B } from "../lib/b";

        /** Things. */
        export interface Thing extends Base<A>, Other {
          name: string;
          run(x: number): Result;
        }

        export type Id = string | Thing;

        export enum Color { Red, Green }

        /** Abstract. */
        @Component({ selector: "x" })
        export abstract class Shop<T> extends ns.Store<T> implements Thing, IShop {
          private items: Item[] = [];

          constructor(private readonly store: Store) { super(); }

          /** Sells. */
          @log()
          public sell(item: Item): void {
            this.store.take(item as Sold);
          }

          abstract open(): void;
          on = (e: Event) => { };
        }

        namespace Inner {
          export function f(): void {}
        }

        declare module "x" {
          function g(a: string): void;
        }
        export const View = ({ a }: Props) => <Foo.Bar a={a} />;
        export default function App() { return <View />; }
        """,
        "tsx",
    )

    assert outline(parsed) == [
        "4-8 interface Thing, extends Base Other, documented",
        "7-7 method Thing.run",
        "10-10 type Id",
        "12-12 enum Color",
        "14-29 class Shop, extends ns.Store, implements Thing IShop, documented",
        "19-19 method Shop.constructor",
        "21-25 method Shop.sell, documented",
        "27-27 method Shop.open",
        "28-28 method Shop.on",
        "31-33 namespace Inner",
        "32-32 function Inner.f",
        "35-37 module x",
        "36-36 function x.g",
        "38-38 function View",
        "39-39 function App",
    ]
    assert borders(parsed) == [
        "1-3 head",
        "4-13 declarations",
        "14-38 declarations",
        "39-39 declarations",
    ]


def test_go() -> None:
    """Go declares these, and is cut between them."""
    parsed = sample(
        """
        // Package shop sells.
        package shop

        import (
            "fmt"
            ext "github.com/acme/eggs"
        )

        // Limit is how many.
        const Limit = 10

        const (
            // A is a.
            A = iota
            B
        )

        var ErrFull = errors.New("full")

        type (
            ID string
        )

        // Basket holds.
        type Basket struct {
            Container
            *eggs.Box
            Size int
            next *Node
        }

        // Holder can hold.
        type Holder interface {
            io.Reader
            Hold(e Egg) error
        }

        // New makes one.
        func New(size int) *Basket {
            return &Basket{Size: size}
        }

        // Add adds.
        func (b *Basket) Add(e ext.Egg) error {
            fmt.Println(e)
            return nil
        }

        func (s Stack[T]) Pop() {}
        """,
        "go",
    )

    assert outline(parsed) == [
        "9-10 constant Limit, documented",
        "13-14 constant A, documented",
        "15-15 constant B",
        "18-18 constant ErrFull",
        "20-22 type ID",
        "24-30 struct Basket, extends Container eggs.Box, documented",
        "32-36 interface Holder, extends io.Reader, documented",
        "35-35 method Holder.Hold",
        "38-41 function New, documented",
        "43-47 method Basket.Add, documented",
        "49-49 method Stack.Pop",
    ]
    assert borders(parsed) == [
        "1-8 head",
        "9-31 declarations",
        "32-49 declarations",
    ]


def test_rust() -> None:
    """Rust declares these, and is cut between them."""
    parsed = sample(
        """
        //! Baskets.
        #![allow(dead_code)]

        use std::collections::{HashMap, hash_map::Entry};
        use crate::egg::Egg as E;
        mod util;

        /// How many.
        pub const LIMIT: usize = 10;

        /// Holds eggs.
        #[derive(Debug)]
        pub struct Basket<T> {
            eggs: Vec<T>,
        }

        /// Holds.
        pub trait Holder: Debug + Send {
            /// Adds.
            fn add(&mut self, egg: Egg);
        }

        impl<T> Holder for Basket<T> {
            // No doc.
            #[inline]
            fn add(&mut self, egg: Egg) {
                self.eggs.push(Egg::new(egg));
                println!("x");
            }
        }

        impl Basket<u8> {
            pub fn len(&self) -> usize { self.eggs.len() }
        }

        macro_rules! twice {
            ($x:expr) => { $x; $x };
        }

        enum Color { Red }

        mod tests {
            fn works() {}
        }
        """,
        "rust",
    )

    assert outline(parsed) == [
        "8-9 constant LIMIT, documented",
        "11-15 struct Basket, documented",
        "17-21 trait Holder, extends Debug Send, documented",
        "19-20 method Holder.add, documented",
        "23-30 impl Basket, implements Holder",
        "24-29 method Basket.add, documented",
        "32-34 impl Basket",
        "33-33 method Basket.len",
        "36-38 macro twice",
        "40-40 enum Color",
        "42-44 module tests",
        "43-43 function tests.works",
    ]
    assert borders(parsed) == [
        "1-7 head",
        "8-31 declarations",
        "32-44 declarations",
    ]


def test_java() -> None:
    """Java declares these, and is cut between them."""
    parsed = sample(
        """
        /* Licence. */
        package shop;

        import java.util.List;
        import static shop.Eggs.boil;

        /**
         * Holds eggs.
         */
        @Deprecated
        public class Basket<T> extends Container<T> implements Holder, Iterable<Egg> {
            private final int size = 3;

            /** Makes one. */
            public Basket(int size) {
                this.size = size;
            }

            /** Adds. */
            @Override
            public void add(Egg egg) {
                eggs.add(new Egg(egg));
                list.forEach(this::take);
            }

            enum Color implements Named { RED }
        }

        interface Holder extends Named, Closeable {
            void add(Egg egg);
        }

        record Point(int x, int y) implements Shape { }
        @interface Marker { }
        """,
        "java",
    )

    assert outline(parsed) == [
        "7-27 class Basket, extends Container, implements Holder Iterable, documented",
        "14-17 constructor Basket.Basket, documented",
        "19-24 method Basket.add, documented",
        "26-26 enum Basket.Color, implements Named",
        "29-31 interface Holder, extends Named Closeable",
        "30-30 method Holder.add",
        "33-33 record Point, implements Shape",
        "34-34 annotation Marker",
    ]
    assert borders(parsed) == [
        "1-6 head",
        "7-28 declarations",
        "29-34 declarations",
    ]
